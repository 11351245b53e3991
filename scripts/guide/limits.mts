import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@parley/contract';

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

const source = readFileSync(path.resolve(import.meta.dirname, '../../libs/contract/src/limits.ts'), 'utf8');

/** The comment above a limit in its source, which describes what it limits. */
function commentOf(name: string): string {
  const found = new RegExp(`/\\*\\* ([^*\\n]+) \\*/\\n  ${name}:`).exec(source);
  return found?.[1] ?? '';
}

const inWords = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const count = (value: number | undefined): string => (value === undefined ? '' : value.toLocaleString('en'));

/** Generates docs/limits.md. */
export function limitsPage(): string {
  const rows = Object.entries(limits).map(([name, limit]) => {
    const { min, max, default: usual } = (typeof limit === 'number' ? { max: limit } : limit) as Bounds;
    if (min === undefined && max === undefined) return undefined;
    const cells = [inWords(name), commentOf(name), count(min), count(max), count(usual)];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Limits',
    '',
    'Generated from the contract. Bounds are inclusive. The table lists limits that apply in more than one place; those of a single field are in the [OpenAPI document](openapi.json). Limits that an installation configures (rates, concurrency, event streams) are in [operating](operating.md).',
    '',
    '| limit | applies to | minimum | maximum | default |',
    '| --- | --- | --- | --- | --- |',
    ...rows.filter((row) => row !== undefined),
    '',
  ].join('\n');
}
