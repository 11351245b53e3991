import { limits } from '@parley/contract';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { documentOf, grpcService, type GrpcService } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import { ownedBases } from './bases';
import type { Dependencies } from './dependencies';
import { putDocumentContent } from './documents';
import { askBases, type AskParts } from './search';

/** The typed RPCs for other services. */
export function knowledgeService(dependencies: Dependencies & AskParts): GrpcService {
  return grpcService<KnowledgeServiceServer>(KnowledgeServiceService, {
    async putDocumentContent(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const { documentId, mediaType, content } = request;
      const set = { organizationId, documentId, mediaType, content: Buffer.from(content), actor: context };
      const { body } = await putDocumentContent(dependencies, set);
      return { document: documentOf('KnowledgeDocumentRecord', body) };
    },
    async findBases({ organizationId, projectId, knowledgeBaseIds }, context) {
      const owner = tenantOf(context.caller, organizationId);
      return { knowledgeBaseIds: await ownedBases(dependencies.db, owner, projectId, knowledgeBaseIds) };
    },
    // Serves a call under a lease: telephony has checked the lease and passes the organization of the call.
    async ask({ organizationId, knowledgeBaseIds, text, limit }) {
      const most = Math.min(Math.max(limit, limits.knowledgeHits.min), limits.knowledgeHits.max);
      const answer = await askBases(dependencies, organizationId, knowledgeBaseIds, text, most);
      return { answer: documentOf('KnowledgeAnswer', JSON.stringify(answer)) };
    },
  });
}
