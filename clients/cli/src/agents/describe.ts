/** What a plan would do, for people. */
import type { Planned } from './work.js';

export function describePlan({ slug, agent_id, changes, drift, preview, before }: Planned): string {
  const what = changes.length === 0 ? 'no changes' : agent_id === null ? 'is created' : 'changes';
  return [
    `${slug} (${agent_id ?? 'new'}): ${what}`,
    ...changes.map(({ field, from, to }) => `  ${field}: ${short(from)} -> ${short(to)}`),
    ...drift.map(({ field, from, to }) => `  changed on the platform: ${field}: ${short(from)} -> ${short(to)}`),
    ...(preview?.blockers ?? []).map(({ scope, code, detail }) => `  blocked: ${scope}: ${code}: ${detail}`),
    ...(preview ? figures('price', before?.cost, preview.cost) : []),
    ...(preview ? figures('latency', before?.latency, preview.latency) : []),
  ].join('\n');
}

type Figures = Readonly<Record<string, number | boolean | null>>;

/** Each figure by its name, before and after; one that stays is said once. */
function figures(what: string, before: Figures | undefined, after: Figures): string[] {
  return Object.entries(after).flatMap(([name, to]) => {
    if (typeof to !== 'number') return [];
    const from = before?.[name];
    return [`  ${what}: ${name.replaceAll('_', ' ')}: ${from === to ? '' : `${from ?? 'unknown'} -> `}${to}`];
  });
}

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
