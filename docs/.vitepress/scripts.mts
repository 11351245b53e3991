import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../services/gateway/dist/guide/assets');

/** Small scripts that VitePress writes into every page become files, and style attributes go: the policy of the site allows neither. */
export function withoutInlineScripts(html: string): string {
  return html
    .replace(
      /<script((?: (?!src)[\w-]+(?:="[^"]*")?)*)>([^]+?)<\/script>/g,
      (_whole, attributes: string, code: string) => {
        const name = `inline-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(folder, name), code);
        return `<script${attributes} src="/guide/assets/${name}"></script>`;
      },
    )
    .replace(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1');
}
