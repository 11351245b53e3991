import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sections } from '../../docs/.vitepress/navigation.mts';
import { root } from '../platform/options.mts';

/** A fenced block of Markdown, with the marks in its first line. */
export interface Block {
  readonly language: string;
  readonly code: string;
  readonly runs: boolean;
  readonly file: string | undefined;
  /** The test that runs the block, as a path from the root. */
  readonly runBy: string | undefined;
  /** The reason why it is not run. */
  readonly reason: string | undefined;
}

/** Languages whose blocks are run or written to a file, or state why not. Blocks in other languages show the input and output of programs. */
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

/** The pages for users: those of the guide except reference, internals and decisions. */
export const guidePages: readonly string[] = sections
  .filter(({ title }) => !['Reference', 'Internals', 'Decisions'].includes(title))
  .flatMap(({ pages }) => pages);

/** The pages among them that contain something to run. */
export const executablePages: readonly string[] = guidePages.filter((page) =>
  blocksOf(readFileSync(path.join(root, 'docs', page), 'utf8')).some(({ runs }) => runs),
);
