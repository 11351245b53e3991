import { Button, Select } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { CallAnalyticsSlice } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { agentsQuery, analyticsQuery } from '../../api/reads';
import { ChoiceFilter } from '../../parts/choice-filter';
import { Listed } from '../../parts/listed';
import { money } from '../../parts/money';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { duration } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useCan } from '../../session/session';
import { t, word } from '../../text/text';
import {
  figures,
  groups,
  intervalNames,
  intervals,
  periods,
  spanOf,
  timeZone,
  type AnalyticsSearch,
  type Figure,
  type Span,
} from './analytics-search';
import { FiguresTable } from './figures-table';
import { mostSeries, seriesOf, totalsOf } from './series';

const Chart = lazy(() => import('./chart'));
const route = getRouteApi('/analytics');

export default function AnalyticsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const [now] = useState(() => Date.now());
  const span = useMemo(() => spanOf(search, now), [search, now]);
  const query = useQuery(
    analyticsQuery({
      interval: span.interval,
      time_zone: timeZone,
      group_by: search.by,
      from: new Date(span.from).toISOString(),
      to: new Date(span.to).toISOString(),
      agent_id: search.agent,
    }),
  );
  const change = (part: { readonly [K in keyof AnalyticsSearch]?: AnalyticsSearch[K] | undefined }): void =>
    void navigate({
      search: (old) =>
        Object.fromEntries(Object.entries({ ...old, ...part }).filter(([, value]) => value !== undefined)),
    });
  const names = useMemo(() => new Map(agents?.data.map(({ agent_id: id, name }) => [id, name ?? id])), [agents]);
  return (
    <Page title={t('analytics.title')} lead={t('analytics.lead', { zone: timeZone })} wide>
      <div className="filters" role="search" aria-label={t('analytics.title')}>
        <ChoiceFilter
          label={t('analytics.period')}
          group="period"
          values={periods}
          value={search.period ?? 'month'}
          change={(period) => change({ period })}
        />
        <ChoiceFilter
          label={t('analytics.interval')}
          group="interval"
          values={intervals}
          value={span.interval}
          change={(interval) => change({ interval })}
        />
        <ChoiceFilter
          label={t('analytics.by')}
          group="group"
          values={groups}
          value={search.by}
          change={(by) => change({ by })}
        />
        <ChoiceFilter
          label={t('analytics.figure')}
          group="figure"
          values={figures}
          value={search.figure ?? 'calls'}
          change={(figure) => change({ figure })}
        />
        <Select
          label={t('calls.filter.agent')}
          placeholder={t('calls.filter.any')}
          size="xs"
          clearable
          searchable
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={search.agent ?? null}
          onChange={(agent) => change({ agent: agent ?? undefined })}
        />
        {Object.keys(search).length > 0 && (
          <Button variant="subtle" size="xs" color="gray" onClick={() => void navigate({ search: {} })}>
            {t('calls.filter.clear')}
          </Button>
        )}
      </div>
      <Listed
        query={query}
        rows={6}
        empty={<Notice Icon={IconChartBar} title={t('analytics.empty')} lead={t('analytics.emptyLead')} />}
      >
        {(slices) => <Figures slices={slices} search={search} span={span} agents={names} />}
      </Listed>
    </Page>
  );
}

const showers: Readonly<Record<Figure, (value: number) => string>> = {
  calls: (value) => (Number.isInteger(value) ? String(value) : ''),
  answered: (value) => `${Math.round(value)} %`,
  minutes: (value) => `${Number(value.toFixed(1))} min`,
  cost: (value) => money({ currency: 'USD', amount_micros: Math.round(value * 1_000_000) }),
  p50: (value) => `${Math.round(value)} ms`,
  p95: (value) => `${Math.round(value)} ms`,
};

/** The texts of a group's values. */
const wordsOf: Readonly<Record<string, string>> = {
  ended_reason: 'reason',
  status: 'status',
  direction: 'direction',
  channel: 'channel',
};

interface Props {
  readonly slices: readonly CallAnalyticsSlice[];
  readonly search: AnalyticsSearch;
  readonly span: Span;
  readonly agents: ReadonlyMap<string, string>;
}

function Figures({ slices, search, span, agents }: Props) {
  const { by, figure = 'calls' } = search;
  const nameOf = useMemo(
    () =>
      (key: string | null): string =>
        key === null
          ? word('figure', figure)
          : key === ''
            ? t('analytics.noValue')
            : by === 'agent_id'
              ? (agents.get(key) ?? key)
              : word(wordsOf[by ?? ''] ?? '', key),
    [agents, by, figure],
  );
  const lines = useMemo(
    () => seriesOf(slices, figure, span).map(({ key, values }) => ({ name: nameOf(key), values })),
    [slices, figure, span, nameOf],
  );
  const totals = useMemo(() => totalsOf(slices), [slices]);
  const sum = totals.reduce(
    (all, one) => ({
      calls: all.calls + one.calls,
      answered: all.answered + one.answered,
      seconds: all.seconds + one.seconds,
      micros: all.micros + one.micros,
    }),
    { calls: 0, answered: 0, seconds: 0, micros: 0 },
  );
  const facts = [
    [t('analytics.calls'), String(sum.calls)],
    [t('analytics.answered'), sum.calls === 0 ? '–' : `${Math.round((100 * sum.answered) / sum.calls)} %`],
    [t('analytics.talked'), duration(sum.seconds)],
    [t('analytics.cost'), money({ currency: 'USD', amount_micros: sum.micros })],
  ];
  return (
    <>
      <dl className="facts facts-four card">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section className="card section" aria-label={word('figure', figure)}>
        <Suspense fallback={<Waiting rows={5} />}>
          <Chart
            label={t('analytics.chart', { figure: word('figure', figure), count: sum.calls })}
            starts={span.starts}
            lines={lines}
            show={showers[figure]}
            showTime={intervalNames[span.interval]}
          />
        </Suspense>
        {totals.length > mostSeries && <p className="soft">{t('analytics.cut', { most: mostSeries })}</p>}
      </section>
      <FiguresTable slices={slices} totals={totals} by={by} span={span} nameOf={nameOf} agent={search.agent} />
    </>
  );
}
