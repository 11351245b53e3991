/** Describes the changes of a plan for people. */
import { isDeepStrictEqual } from 'node:util';
import { nameOfTool } from './parts.js';
import type { Change, Planned } from './plan.js';

export function describePlan({ slug, agent_id, changes, drift, preview, before }: Planned): string {
  const what = changes.length === 0 ? 'no changes' : agent_id === null ? 'is created' : 'changes';
  return [
    `${slug} (${agent_id ?? 'new'}): ${what}`,
    ...changes.map((change) => `  ${describeChange(change)}`),
    ...drift.map((change) => `  changed on the platform: ${describeChange(change)}`),
    ...(preview?.blockers ?? []).map(({ scope, code, detail }) => `  blocked: ${scope}: ${code}: ${detail}`),
    ...(preview?.warnings ?? []).map((warning) => `  warning: ${warning}`),
    ...(preview ? figures('price', before?.cost, preview.cost) : []),
    ...(preview ? figures('latency', before?.latency, preview.latency) : []),
  ].join('\n');
}

export function describeChange({ field, from, to }: Change): string {
  const [before, after] = [partsOf(from), partsOf(to)];
  if (after === undefined || (before === undefined && from !== undefined && from !== null))
    return `${field}: ${short(from)} -> ${short(to)}`;
  return `${field}: ${differencesBetween(before ?? new Map<string, unknown>(), after).join(', ') || 'another order'}`;
}

/** Compares a list of tools, variables or nodes by name; a workflow by its nodes, and its edges as a whole. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value === 'object' && value !== null && 'nodes' in value && 'edges' in value) {
    const nodes = partsOf(value.nodes);
    return nodes && new Map([...nodes, ['edges', value.edges]]);
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const named = value.map((one: unknown): [string, unknown] => [nameOfPart(one), one]);
  return named.every(([name]) => name !== '') ? new Map(named) : undefined;
}

const nameOfPart = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return '';
  return 'id' in part && typeof part.id === 'string' ? part.id : nameOfTool(part);
};

function differencesBetween(from: Map<string, unknown>, to: Map<string, unknown>): string[] {
  const names = [...new Set([...from.keys(), ...to.keys()])];
  return names.flatMap((name) => {
    if (!from.has(name)) return [`+ ${name}`];
    if (!to.has(name)) return [`- ${name}`];
    return isDeepStrictEqual(from.get(name), to.get(name)) ? [] : [`~ ${name}`];
  });
}

type Figures = Readonly<Record<string, unknown>>;

/** Each figure by name, before and after; an unchanged one is shown once. */
function figures(what: string, before: Figures | undefined, after: Figures): string[] {
  return Object.entries(after).flatMap(([name, to]) => {
    if (typeof to !== 'number') return [];
    const from = before?.[name];
    return [
      `  ${what}: ${name.replaceAll('_', ' ')}: ${from === to ? '' : `${typeof from === 'number' ? from : 'unknown'} -> `}${to}`,
    ];
  });
}

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
