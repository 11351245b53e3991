import { Alert, Progress, Select } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import type { SimulationDifference, SimulationRun, SimulationRunSummary, SimulationScenarioResult } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { runQuery } from '../../api/reads';
import { write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { Refusal } from '../../parts/refusal';
import { ScopedButton } from '../../parts/scoped-button';
import { absolute } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { assertionText } from './assertion-text';
import { Conversations } from './conversations';
import { runName, RunState } from './runs';

interface Props {
  readonly suiteId: string;
  readonly runId: string;
  readonly against: string | undefined;
  readonly others: readonly SimulationRunSummary[];
  readonly compare: (runId: string | undefined) => void;
}

/** What held and what did not, by scenario, and what stands otherwise than in another run. */
export function Report({ suiteId, runId, against, others, compare }: Props) {
  const client = useQueryClient();
  const { data: run, error, refetch } = useQuery(runQuery(suiteId, runId, against));
  const cancel = useMutation({
    mutationFn: () => write<SimulationRun>('POST', `/v1/simulation-runs/${runId}/cancel`),
    onSettled: () => client.invalidateQueries({ queryKey: ['suite', suiteId] }),
  });
  if (run === undefined) return error === null ? <Waiting rows={3} /> : <Failure error={error} retry={refetch} />;
  const isGoingOn = run.status === 'queued' || run.status === 'running';
  return (
    <section className="card section report" aria-labelledby="report-title">
      <header>
        <h2 id="report-title">{t('report.title', { run: runName(run) })}</h2>
        <RunState run={run} />
        {isGoingOn && (
          <ScopedButton
            scope="simulations:run"
            size="xs"
            color="red"
            variant="light"
            leftSection={<IconPlayerStop size={15} />}
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            {t('runs.cancel')}
          </ScopedButton>
        )}
        <Select
          label={t('report.against')}
          placeholder={t('report.againstNone')}
          size="xs"
          clearable
          data={others.map((one) => ({
            value: one.simulation_run_id,
            label: `${runName(one)} · ${absolute(one.created_at)}`,
          }))}
          value={against ?? null}
          onChange={(next) => compare(next ?? undefined)}
        />
      </header>
      <Refusal error={cancel.error} />
      {isGoingOn && (
        <Progress
          value={(100 * run.done) / Math.max(run.conversations, 1)}
          animated
          aria-label={t('runs.done', { done: run.done, all: run.conversations, failed: run.failed })}
        />
      )}
      {run.differences !== null && <Differences differences={run.differences} />}
      <ul className="scenarios">
        {run.results.map((result) => (
          <Scenario key={result.scenario} result={result} runId={runId} />
        ))}
      </ul>
    </section>
  );
}

function Differences({ differences }: { readonly differences: readonly SimulationDifference[] }) {
  if (differences.length === 0) return <Alert color="gray">{t('report.same')}</Alert>;
  return (
    <ul className="changes differences" aria-label={t('report.differences')}>
      {differences.map(({ scenario, assertion, change, detail }) => (
        <li key={`${scenario} ${JSON.stringify(assertion)}`} data-change={change}>
          <span>
            <span className="pill" data-tone={change === 'fixed' ? 'good' : 'bad'}>
              {t(`report.${change}`)}
            </span>{' '}
            <b>{scenario}</b>
          </span>
          <code>{assertionText(assertion)}</code>
          {detail !== '' && <span>{detail}</span>}
        </li>
      ))}
    </ul>
  );
}

function Scenario({ result, runId }: { readonly result: SimulationScenarioResult; readonly runId: string }) {
  const { scenario, conversations, passed, failed, assertions } = result;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" className="delivery-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{scenario}</b>
        <span className="pill" data-tone={failed > 0 ? 'bad' : conversations > 0 ? 'good' : 'wait'}>
          {t('report.passed', { passed, all: conversations })}
        </span>
      </button>
      <ul className="assertions">
        {assertions.map(({ assertion, failed: misses, detail }) => (
          <li key={JSON.stringify(assertion)} data-tone={misses > 0 ? 'bad' : 'good'}>
            <span>{assertionText(assertion)}</span>
            {misses > 0 && (
              <small>
                {t('report.misses', { count: misses })} {detail}
              </small>
            )}
          </li>
        ))}
      </ul>
      {isOpen && <Conversations runId={runId} scenario={scenario} />}
    </li>
  );
}
