import type { SimulationResultPage } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/request';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { t, word } from '../../text/text';

const most = 10;

/** The first conversations of a scenario, word by word. */
export function Conversations({ runId, scenario }: { readonly runId: string; readonly scenario: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['conversations', runId, scenario],
    queryFn: ({ signal }) =>
      read<SimulationResultPage>(`/v1/simulation-runs/${runId}/results`, {
        query: { scenario, limit: most },
        signal,
      }),
  });
  if (data === undefined) return error === null ? <Waiting rows={2} /> : <Failure error={error} retry={refetch} />;
  if (data.data.length === 0) return <p className="soft">{t('conversations.empty')}</p>;
  return (
    <ol className="conversations">
      {data.data.map((one) => (
        <li key={one.repetition}>
          <h3>
            {t('conversations.nth', { count: one.repetition })}{' '}
            <span className="pill" data-tone={one.passed ? 'good' : 'bad'}>
              {word('runState', one.passed ? 'passed' : 'failed')}
            </span>{' '}
            <small>{word('reason', one.ended_reason)}</small>
          </h3>
          <ul className="bubbles">
            {one.turns.map(({ turn_id: id, speaker, text }) => (
              <li key={id} data-voice={speaker === 'agent' ? 'agent' : 'caller'}>
                <small>{word('voice', speaker)}</small>
                {text}
              </li>
            ))}
          </ul>
          {one.problems.map((problem) => (
            <p key={problem} className="soft">
              {problem}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}
