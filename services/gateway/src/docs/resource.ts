import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Static content, with its strong entity tag. */
export interface Content {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** Returns the content, read or generated once per process. Rejects if its file cannot be read; the next call retries. */
export type Resource = () => Promise<Content>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

export const isServed = (file: string): boolean => path.extname(file) in types;

function contentOf(type: string, body: Buffer): Content {
  return { type, body, etag: `"${hash('sha256', body, 'base64url')}"` };
}

/** A document generated when the process starts. */
export function jsonResource(document: object): Resource {
  const content = contentOf('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
  return () => Promise.resolve(content);
}

/** A page generated from a template file at the first request. */
export function textResource(file: string, render: (template: string) => string): Resource {
  const read = fileResource(file);
  return async () => {
    const { type, body } = await read();
    return contentOf(type, Buffer.from(render(body.toString('utf8'))));
  };
}

/** A file, read at the first request, because most gateways never serve the viewer. Throws for an unsupported file type. */
export function fileResource(file: string): Resource {
  const type = types[path.extname(file)];
  if (type === undefined) throw new Error(`files such as ${path.basename(file)} are not served`);
  let reading: Promise<Content> | undefined;
  return async () => {
    reading ??= readFile(file).then((body) => contentOf(type, body));
    try {
      return await reading;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
}
