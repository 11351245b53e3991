/** Fenced blocks of Markdown, and what their first line says of running them. */
export interface Block {
  readonly language: string;
  readonly code: string;
  readonly runs: boolean;
  readonly file: string | undefined;
  /** Why it is not run. */
  readonly reason: string | undefined;
}

export const executablePages = ['quickstart.md', 'campaigns.md', 'recipes.md', 'webhook-receiver.md'] as const;

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
  return [...text.matchAll(/^(`{3,})(\w+)([^\n]*)\n([^]*?)^\1$/gm)].map(
    ([, , language = '', marks = '', code = '']) => ({
      language,
      code,
      runs: /(^| )run( |$)/.test(marks),
      file: /(?:^| )file=(\S+)/.exec(marks)?.[1],
      reason: /(?:^| )not-run="([^"]+)"/.exec(marks)?.[1],
    }),
  );
}
