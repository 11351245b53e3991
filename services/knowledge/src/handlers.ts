import type { AnyRoute, BodyOf } from '@parley/contract';
import type { GrpcService } from '@parley/runtime';
import { handlerGroup, publicService, type PublicCall } from '@parley/service';
import { createBase, deleteBase, getBase, listBases, updateBase } from './bases';
import type { Dependencies } from './dependencies';
import { createDocument, deleteDocument, getDocument, listDocuments } from './documents';
import { askBase, type AskParts } from './search';

/** The public routes of this service. */
export function knowledgePublicService(
  dependencies: Dependencies & AskParts,
  options: { readonly insecureUrls: boolean },
): GrpcService {
  return publicService('knowledge', { ...baseHandlers(dependencies), ...documentHandlers(dependencies) }, options);
}

const group = handlerGroup<'knowledge'>();

function baseHandlers(dependencies: Dependencies & AskParts) {
  return group({
    createKnowledgeBase: (call) =>
      createBase(dependencies, { ...creation(call), organizationId: call.namedOrganizationId }),
    listKnowledgeBases: async (call) => ({
      body: await listBases(dependencies, call.namedOrganizationId, call.query),
    }),
    getKnowledgeBase: (call) => getBase(dependencies, call.organizationId, call.params.knowledge_base_id),
    updateKnowledgeBase: (call) => updateBase(dependencies, { ...ofBase(call), body: () => call.body() }),
    deleteKnowledgeBase: (call) => deleteBase(dependencies, ofBase(call), call.context),
    queryKnowledgeBase: async (call) => ({
      body: await askBase(dependencies, { ...ofBase(call), body: () => call.body() }),
    }),
  });
}

function documentHandlers(dependencies: Dependencies) {
  return group({
    createKnowledgeDocument: (call) => createDocument(dependencies, { ...ofBase(call), ...creation(call) }),
    listKnowledgeDocuments: async (call) => ({
      body: await listDocuments(dependencies, call.organizationId, call.params.knowledge_base_id, call.query),
    }),
    getKnowledgeDocument: (call) => getDocument(dependencies, call.organizationId, call.params.document_id),
    deleteKnowledgeDocument: (call) =>
      deleteDocument(dependencies, {
        organizationId: call.organizationId,
        documentId: call.params.document_id,
        actor: call.context,
      }),
  });
}

const ofBase = (call: Pick<PublicCall, 'params' | 'organizationId' | 'ifMatch' | 'context'>) => ({
  organizationId: call.organizationId,
  knowledgeBaseId: call.params['knowledge_base_id'] ?? '',
  ifMatch: call.ifMatch,
  actor: call.context,
});

const creation = <R extends AnyRoute>(call: PublicCall<R>) => ({
  organizationId: call.organizationId,
  actor: call.context,
  body: (): BodyOf<R> => call.body(),
  creating: (organizationId: string) => call.creating(organizationId),
});
