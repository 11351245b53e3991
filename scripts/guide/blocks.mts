import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sections } from '../../docs/.vitepress/navigation.mts';
import { root } from '../platform/options.mts';

/** Fenced blocks of Markdown, and the execution mark in their first line. */
export interface Block {
  readonly language: string;
  readonly code: string;
  readonly runs: boolean;
  readonly file: string | undefined;
  /** The file of the test that runs it, from the root. */
  readonly runBy: string | undefined;
  /** Why it is not run. */
  readonly reason: string | undefined;
}

/** Blocks of these languages are run, written or say why not; others are what programs print and read. */
export const runnable: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'ts',
  'js',
  'mjs',
  'py',
  'go',
  'csv',
  'md',
  'yaml',
]);

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^ *(`{3,})(\w+)([^\n]*)\n([^]*?)^ *\1$/gm)].map(
    ([, , language = '', marks = '', code = '']) => ({
      language,
      code,
      runs: /(^| )run( |$)/.test(marks),
      file: /(?:^| )file=(\S+)/.exec(marks)?.[1],
      runBy: /(?:^| )run-by="([^"]+)"/.exec(marks)?.[1],
      reason: /(?:^| )not-run="([^"]+)"/.exec(marks)?.[1],
    }),
  );
}

/** What a user reads: the pages of the guide without the rules, the internals and the decisions. */
export const guidePages: readonly string[] = sections
  .filter(({ title }) => !['Reference', 'Internals', 'Decisions'].includes(title))
  .flatMap(({ pages }) => pages);

/** Those of them that have something to run. */
export const executablePages: readonly string[] = guidePages.filter((page) =>
  blocksOf(readFileSync(path.join(root, 'docs', page), 'utf8')).some(({ runs }) => runs),
);
