import { AgentVoiceStackUpdate } from '@parley/contract';
import type { AgentsServiceServer } from '@parley/proto/agents';
import { documentOf, type UnaryHandlers } from '@parley/runtime';
import type { Dependencies } from '../usecases/dependencies';
import { previewVoiceStack } from '../usecases/preview-voice-stack';
import { diffPublication, getPublication, listPublications } from '../usecases/read-publications';
import { restorePublication } from '../usecases/restore-publication';
import { organizationOf } from './organization-of';
import { parseBody, type BodyOptions } from './parse-body';

type PublicationMethods =
  'listPublications' | 'getPublication' | 'diffPublication' | 'restorePublication' | 'previewVoiceStack';

/** The history of publications, and what a save would make of it. Entity tags of these reads are over their text. */
export function publicationHandlers(
  dependencies: Dependencies,
  options: BodyOptions,
): Pick<UnaryHandlers<AgentsServiceServer>, PublicationMethods> {
  return {
    async listPublications(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const organizationId = organizationOf(request, context);
      const json = await listPublications(dependencies, { organizationId, agentId: request.agentId, limit, cursor });
      return { document: documentOf('PublicationSummaryPage', json) };
    },
    async getPublication(request, context) {
      const { agentId, version } = request;
      const organizationId = organizationOf(request, context);
      const json = await getPublication(dependencies, { organizationId, agentId, version }, context);
      return { document: documentOf('PublicationRecord', json), etag: '', replayed: false };
    },
    async diffPublication(request, context) {
      const { agentId, version, against } = request;
      const named = { organizationId: organizationOf(request, context), agentId, version, against };
      const diff = await diffPublication(dependencies, named, context);
      return { document: documentOf('PublicationDiff', diff), etag: '', replayed: false };
    },
    async restorePublication(request, context) {
      const { agentId, version, ifMatch } = request;
      const named = { organizationId: organizationOf(request, context), agentId, version, ifMatch };
      const { json, etag } = await restorePublication(dependencies, named, context);
      return { document: documentOf('AgentVoiceStack', json), etag, replayed: false };
    },
    async previewVoiceStack(request, context) {
      const { agentId } = request;
      const body = () => parseBody(AgentVoiceStackUpdate, request.body, options);
      const organizationId = organizationOf(request, context);
      const json = await previewVoiceStack(dependencies, { organizationId, agentId, body }, context);
      return { document: documentOf('VoiceStackPreview', json), etag: '', replayed: false };
    },
  };
}
