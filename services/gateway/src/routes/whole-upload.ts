import { badRequest } from '@parley/errors';
import type { RequestBody } from '../http';

/** An upload of a few MiB at most, as a whole. */
export async function wholeUpload({ upload }: RequestBody): Promise<Buffer> {
  if (upload === undefined) throw badRequest('the content must be sent as bytes');
  const chunks: Buffer[] = [];
  for await (const chunk of upload) chunks.push(chunk);
  return Buffer.concat(chunks);
}
