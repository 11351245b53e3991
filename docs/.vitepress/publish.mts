import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sections } from './navigation.mts';

interface Built {
  readonly outDir: string;
  readonly srcDir: string;
  readonly pages: readonly string[];
  readonly rewrites: Readonly<Record<string, string | undefined>>;
  readonly codeStyles: string;
}

/** Next to the pages: their Markdown, the colors of code, and llms.txt, which lists every page for programs that read text. */
export function publish({ outDir, srcDir, pages, rewrites, codeStyles }: Built): void {
  writeFileSync(path.join(outDir, 'code.css'), codeStyles);
  // As the Markdown names them; the pages have copies with a hash in their names.
  cpSync(path.join(srcDir, 'pictures'), path.join(outDir, 'pictures'), { recursive: true });
  const titles = new Map<string, string>();
  for (const page of pages) {
    const source = path.join(srcDir, page);
    const target = path.join(outDir, rewrites[page] ?? page);
    mkdirSync(path.dirname(target), { recursive: true });
    const text = readFileSync(source, 'utf8').replace(/<!--@include: (\S+)-->/g, (_whole, name: string) =>
      readFileSync(path.resolve(path.dirname(source), name), 'utf8'),
    );
    writeFileSync(target, text);
    // The Markdown of others links to the file as it is called in the repository.
    if (rewrites[page] !== undefined) copyFileSync(target, path.join(outDir, page));
    titles.set(rewrites[page] ?? page, /^# (.+)$/m.exec(text)?.[1] ?? page);
  }
  writeFileSync(path.join(outDir, 'llms.txt'), listOf(titles));
}

function listOf(titles: ReadonlyMap<string, string>): string {
  const named = new Set(sections.flatMap(({ pages }) => pages));
  const others = [...titles.keys()].filter((page) => !named.has(page) && page !== 'index.md').sort();
  const lines = [...sections, { title: 'Further pages', pages: others }].flatMap(({ title, pages }) => [
    `\n## ${title}\n`,
    ...pages.map((page) => `- [${titles.get(page) ?? page}](/guide/${page})`),
  ]);
  return [
    '# Parley',
    '\n> A self-hosted platform for AI voice agents: agents, calls, campaigns and messages over REST, MCP, webhooks and NATS.',
    '\nThe interface as OpenAPI: [/openapi.json](/openapi.json); events as AsyncAPI: [/asyncapi.json](/asyncapi.json).',
    ...lines,
    '',
  ].join('\n');
}
