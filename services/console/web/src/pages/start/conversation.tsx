import { useQuery } from '@tanstack/react-query';
import { transcriptQuery } from '../../api/reads';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

/** What was said so far. */
export function Conversation({ callId, isOver }: { readonly callId: string; readonly isOver: boolean }) {
  const can = useCan()('recordings:read');
  const { data } = useQuery({
    ...transcriptQuery(callId),
    enabled: can && isOver,
    refetchInterval: ({ state }) => (state.data ? false : 500),
  });
  if (!data) return null;
  return (
    <ol className="bubbles">
      {data.turns.map(({ speaker, text }, n) => (
        <li key={n} data-voice={speaker === 'agent' ? 'agent' : 'caller'}>
          <small>{t(speaker === 'agent' ? 'call.agent' : 'call.other')}</small>
          {text}
        </li>
      ))}
    </ol>
  );
}
