import { limits } from '@parley/contract';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { documentOf, grpcService, type GrpcService } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import { ownedBases } from './bases';
import type { Dependencies } from './dependencies';
import { dropDocumentParts, putDocumentContent, putDocumentPart } from './documents';
import { askBases, type AskParts } from './search';

/** The typed RPCs for other services. */
export function knowledgeService(dependencies: Dependencies & AskParts): GrpcService {
  return grpcService<KnowledgeServiceServer>(KnowledgeServiceService, {
    async putDocumentPart({ part, content, ...request }, context) {
      const parts = { ...request, organizationId: tenantOf(context.caller, request.organizationId) };
      await putDocumentPart(dependencies, parts, part, Buffer.from(content));
      return {};
    },
    async dropDocumentParts(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      await dropDocumentParts(dependencies, { ...request, organizationId });
      return {};
    },
    async putDocumentContent(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const { body } = await putDocumentContent(dependencies, { ...request, organizationId, actor: context });
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
