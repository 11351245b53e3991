import { randomUUID } from 'node:crypto';
import { badRequest } from '@parley/errors';
import { limits, routes, uploadBytes } from '@parley/contract';
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

/** Passes the content on in parts as it arrives, so that neither this process nor the service holds all of it. */
export const putKnowledgeDocumentContent = route(routes.putKnowledgeDocumentContent, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  if (body.upload === undefined) throw badRequest('the content must be sent as bytes');
  const upload = { organizationId, documentId: params.document_id, uploadId: randomUUID() };
  let parts = 0;
  try {
    for await (const content of splitIntoParts(body.upload, limits.documentPartBytes)) {
      await clients.knowledge.putDocumentPart({ ...upload, part: parts, content }, context);
      parts += 1;
    }
  } catch (error) {
    // What remains if this fails too, the service deletes later.
    if (parts > 0) await clients.knowledge.dropDocumentParts(upload, context).catch(() => undefined);
    throw error;
  }
  const put = { ...upload, mediaType: body.mediaType ?? '', parts };
  const { document } = await clients.knowledge.putDocumentContent(put, context);
  return documentAnswer(document);
});

/** Parts of this size; the last one may be smaller. */
async function* splitIntoParts(upload: AsyncIterable<Buffer>, bytes: number): AsyncIterable<Buffer> {
  let gathered = new GatheredBytes(bytes);
  for await (const chunk of upload) {
    let rest = chunk;
    while (gathered.size + rest.length >= bytes) {
      const fitting = bytes - gathered.size;
      gathered.add(rest.subarray(0, fitting));
      yield gathered.bytes();
      gathered = new GatheredBytes(bytes);
      rest = rest.subarray(fitting);
    }
    if (rest.length > 0) gathered.add(rest);
  }
  if (gathered.size > 0) yield gathered.bytes();
}
