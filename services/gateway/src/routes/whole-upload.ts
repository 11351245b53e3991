import { badRequest } from '@parley/errors';
import { routes, uploadBytes } from '@parley/contract';
import { GatheredBytes } from '@parley/runtime';
import { documentAnswer, type RequestBody } from '../http';
import { route } from './route';

/** Buffers an upload of a few MiB at most, which its store accepts only as a whole. */
export async function wholeUpload({ upload, mediaType }: RequestBody): Promise<Buffer> {
  if (upload === undefined) throw badRequest('the content must be sent as bytes');
  const gathered = new GatheredBytes(mediaType === undefined ? 0 : uploadBytes[mediaType]);
  for await (const chunk of upload) gathered.add(chunk);
  return gathered.bytes();
}

export const putVerificationDocument = route(routes.putVerificationDocument, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  const content = await wholeUpload(body);
  const { verification_id: verificationId, n: number } = params;
  const put = { organizationId, verificationId, number, mediaType: body.mediaType ?? '', content };
  const { document } = await clients.auth.putVerificationDocument(put, context, { deadlineMs: 25_000 });
  return documentAnswer(document);
});
