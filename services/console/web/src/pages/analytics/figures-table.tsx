import type { CallAnalyticsSlice } from '@parley/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { money } from '../../parts/money';
import { duration } from '../../parts/time';
import { t } from '../../text/text';
import { callSearch, type CallSearch } from '../calls/call-filters';
import { intervalNames, type Group, type Span } from './analytics-search';
import type { Totals } from './series';

interface Props {
  readonly slices: readonly CallAnalyticsSlice[];
  readonly totals: readonly Totals[];
  readonly by: Group | undefined;
  readonly span: Span;
  readonly nameOf: (key: string | null) => string;
  readonly agent: string | undefined;
}

/** The calls of a group, if the list has a filter for it. */
function searchOf(by: Group | undefined, key: string | null, agent: string | undefined, from: number, to: number) {
  const filters: Partial<Record<Group, keyof CallSearch>> = {
    agent_id: 'agent',
    direction: 'direction',
    status: 'status',
  };
  const filter = by === undefined ? undefined : filters[by];
  if (by !== undefined && (filter === undefined || key === null || key === '')) return undefined;
  return callSearch({
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    agent,
    ...(filter !== undefined && { [filter]: key }),
  });
}

/** The figures of the chart, and a way to the calls behind each. */
export function FiguresTable({ slices, totals, by, span, nameOf, agent }: Props) {
  const rows =
    by === undefined
      ? slices.toReversed().map((slice) => {
          const from = Date.parse(slice.start);
          return (
            <Row
              key={slice.start}
              name={intervalNames[span.interval](from)}
              search={searchOf(by, null, agent, from, span.endOf(from))}
              figures={{ ...slice, seconds: slice.duration_seconds, micros: slice.cost_micros }}
              latency={slice.turn_latency_ms}
            />
          );
        })
      : totals.map((one) => (
          <Row
            key={one.key}
            name={nameOf(one.key)}
            search={searchOf(by, one.key, agent, span.from, span.to)}
            figures={one}
          />
        ));
  return (
    <div className="card figures-frame" tabIndex={0} role="region" aria-label={t('analytics.table')}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">{t(by === undefined ? 'analytics.interval' : `group.${by}`)}</th>
            <th scope="col">{t('analytics.calls')}</th>
            <th scope="col">{t('analytics.answered')}</th>
            <th scope="col">{t('analytics.talked')}</th>
            <th scope="col">{t('analytics.cost')}</th>
            {by === undefined && (
              <>
                <th scope="col">{t('figure.p50')}</th>
                <th scope="col">{t('figure.p95')}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly search: CallSearch | undefined;
  readonly figures: Pick<Totals, 'calls' | 'answered' | 'seconds' | 'micros'>;
  /** Absent: latencies of several intervals cannot be added up. */
  readonly latency?: CallAnalyticsSlice['turn_latency_ms'];
}

function Row({ name, search, figures: { calls, answered, seconds, micros }, latency }: RowProps) {
  const title: ReactNode =
    search === undefined ? (
      name
    ) : (
      <Link to="/calls" search={search}>
        {name}
      </Link>
    );
  const ms = (value: number | null): string => (value === null ? '–' : `${value} ms`);
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>{calls}</td>
      <td>{calls === 0 ? '–' : `${Math.round((100 * answered) / calls)} %`}</td>
      <td>{duration(seconds)}</td>
      <td>{money({ currency: 'USD', amount_micros: micros })}</td>
      {latency !== undefined && (
        <>
          <td>{ms(latency.p50)}</td>
          <td>{ms(latency.p95)}</td>
        </>
      )}
    </tr>
  );
}
