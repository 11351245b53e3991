import { badRequest } from '@parley/errors';
import { routes } from '@parley/contract';
import { documentAnswer, type RequestBody } from '../http';
import { route } from './route';

/** Buffers an upload, which must have a few MiB at most. */
export async function wholeUpload({ upload }: RequestBody): Promise<Buffer> {
  if (upload === undefined) throw badRequest('the content must be sent as bytes');
  const chunks: Buffer[] = [];
  for await (const chunk of upload) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const putVerificationDocument = route(routes.putVerificationDocument, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  const content = await wholeUpload(body);
  const { verification_id: verificationId, n: number } = params;
  const put = { organizationId, verificationId, number, mediaType: body.mediaType ?? '', content };
  const { document } = await clients.auth.putVerificationDocument(put, context, { deadlineMs: 25_000 });
  return documentAnswer(document);
});

export const putKnowledgeDocumentContent = route(routes.putKnowledgeDocumentContent, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  const content = await wholeUpload(body);
  const put = { organizationId, documentId: params.document_id, mediaType: body.mediaType ?? '', content };
  const { document } = await clients.knowledge.putDocumentContent(put, context);
  return documentAnswer(document);
});
