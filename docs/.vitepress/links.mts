import { existsSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Markdown that the pages may hold as it is; other tags are text, so that no page is taken for a template. */
const allowedMarkup = /^(<a id="[\w-]+">|<\/a>|<br>|<!--[^]*-->|<\/?(?:details|summary)>)\s*$/;

/** Documents that the gateway serves next to the guide. */
const served = new Map([
  ['openapi.json', '/openapi.json'],
  ['asyncapi.json', '/asyncapi.json'],
]);

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Links between pages lead to pages of the site; links to files of the repository become their text. */
export const linksOf =
  (folder: string) =>
  (markdown: MarkdownRenderer): void => {
    markdown.core.ruler.push(
      'links-of-the-repository',
      ({ tokens, env }: { tokens: Token[]; env: { path?: string } }) => {
        const page = env.path ?? path.join(folder, 'index.md');
        for (const token of tokens) {
          if (token.type === 'html_block') asText(token);
          for (const child of token.children ?? []) if (child.type === 'html_inline') asText(child);
          relink(token.children ?? [], folder, page);
        }
      },
    );
    const { text } = markdown.renderer.rules;
    markdown.renderer.rules.text = (...args) =>
      (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;');
  };

function asText(token: Token): void {
  if (!allowedMarkup.test(token.content)) token.type = 'text';
}

function relink(tokens: Token[], folder: string, page: string): void {
  let isInside = true;
  for (const token of tokens) {
    if (token.type === 'link_close' && !isInside) {
      token.type = 'source_close';
      token.tag = 'span';
      isInside = true;
    }
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || /^(?:[a-z]+:|#|\/)/i.test(href)) continue;
    const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
    // The page of changes shows a file of the root, whose links begin there.
    const base = path.basename(page) === 'changelog.md' ? path.dirname(folder) : path.dirname(page);
    const target = path.relative(folder, path.resolve(base, file));
    const address = served.get(target);
    if (address !== undefined) {
      token.attrs = [
        ['href', address],
        ['target', '_self'],
      ];
      token.type = 'document_open';
    } else if (isPage(folder, target)) {
      token.attrSet('href', `/${target.replace(/README\.md$/, 'index.md')}${anchor}`);
    } else {
      token.type = 'source_open';
      token.tag = 'span';
      token.attrs = [
        ['class', 'source'],
        ['title', path.relative(path.dirname(folder), path.resolve(base, file))],
      ];
      isInside = false;
    }
  }
}

const isPage = (folder: string, target: string): boolean =>
  target.endsWith('.md') && !target.startsWith('..') && existsSync(path.join(folder, target));
