import { routes } from '@parley/contract';
import { documentAnswer } from '../http';
import { route } from './route';
import { wholeUpload } from './whole-upload';

export const putKnowledgeDocumentContent = route(routes.putKnowledgeDocumentContent, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  const content = await wholeUpload(body);
  const put = { organizationId, documentId: params.document_id, mediaType: body.mediaType ?? '', content };
  const { document } = await clients.knowledge.putDocumentContent(put, context);
  return documentAnswer(document);
});
