import { IconPlayerPlay } from '@tabler/icons-react';
import type { SimulationRunSummary, SimulationRunSummaryPage } from '@parley/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Listed } from '../../parts/listed';
import { Notice } from '../../parts/notice';
import { Ago } from '../../parts/time';
import { t, word } from '../../text/text';

interface Props {
  readonly query: UseQueryResult<SimulationRunSummaryPage>;
  readonly shownRun: string | undefined;
}

/** The platform keeps the newest 50 that are over. */
export function Runs({ query, shownRun }: Props) {
  return (
    <Listed
      query={query}
      rows={3}
      empty={<Notice Icon={IconPlayerPlay} title={t('runs.empty')} lead={t('runs.emptyLead')} />}
    >
      {(runs) => (
        <ul className="deliveries card runs" aria-label={t('runs.title')}>
          {runs.map((run) => (
            <Run key={run.simulation_run_id} run={run} isShown={run.simulation_run_id === shownRun} />
          ))}
        </ul>
      )}
    </Listed>
  );
}

function Run({ run, isShown }: { readonly run: SimulationRunSummary; readonly isShown: boolean }) {
  return (
    <li className="run" data-shown={isShown}>
      <Link
        to="/simulations/$suiteId"
        params={{ suiteId: run.simulation_suite_id }}
        search={{ run: run.simulation_run_id }}
        className="row-link"
        aria-current={isShown ? 'true' : undefined}
        resetScroll={false}
      >
        {runName(run)}
      </Link>
      <RunState run={run} />
      <span className="soft">{t('runs.done', { done: run.done, all: run.conversations, failed: run.failed })}</span>
      {run.simulated_model && <em className="tag">{t('runs.simulatedModel')}</em>}
      <Ago at={run.created_at} />
    </li>
  );
}

export const runName = ({ target, publication_version: version }: SimulationRunSummary): string =>
  target.type === 'draft' ? word('runTarget', 'draft') : t('agents.version', { version });

export function RunState({ run: { status, passed } }: { readonly run: SimulationRunSummary }) {
  const state = passed === null ? status : passed ? 'passed' : 'failed';
  const tones: Readonly<Record<string, string>> = { passed: 'good', failed: 'bad', running: 'live', queued: 'wait' };
  return (
    <span className="pill" data-tone={tones[state] ?? 'plain'}>
      {word('runState', state)}
    </span>
  );
}
