import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file in each encoding that it was built in; a fixed map, so that a requested name never becomes a file path. */
export interface SiteFile {
  readonly type: string;
  readonly etag: string;
  readonly bodies: { readonly identity: Buffer; readonly br?: Buffer; readonly gzip?: Buffer };
}

export interface Site {
  /** The single page, with `%NONCE%` as the nonce's placeholder. */
  readonly page: string;
  /** By path below /console, such as /assets/index-3f9a.js. */
  readonly files: ReadonlyMap<string, SiteFile>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** @throws Error if the pages are not built */
export async function loadSite(folder: string): Promise<Site> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new Error(`${folder} holds no pages; npm run build makes them`, { cause });
  });
  const files = new Map<string, SiteFile>();
  const names = await readdir(folder, { recursive: true });
  for (const name of names) {
    const type = types[path.extname(name)];
    if (type === undefined) continue;
    const absolute = path.join(folder, name);
    const identity = await readFile(absolute);
    const br = await readFile(`${absolute}.br`).catch(() => undefined);
    const gzip = await readFile(`${absolute}.gz`).catch(() => undefined);
    const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    files.set(`/${name.split(path.sep).join('/')}`, {
      type,
      etag,
      bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return { page, files };
}
