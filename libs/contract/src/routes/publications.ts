import { AgentVoiceStack } from '../objects/agent-view';
import { AgentVoiceStackUpdate } from '../objects/agent-voice-stack-update';
import { ListQuery } from '../objects/page';
import {
  PublicationDiff,
  PublicationDiffQuery,
  PublicationRecord,
  PublicationSummaryPage,
  VoiceStackPreview,
} from '../objects/publication';
import { route } from './define';

const publication = '/v1/agents/{agent_id}/publications/{version}';

export const publicationRoutes = {
  listPublications: route({
    id: 'list-publications',
    method: 'GET',
    path: '/v1/agents/{agent_id}/publications',
    summary: 'List the publications of an agent, newest first',
    tool: { description: 'List the published versions of an agent, newest first.' },
    scope: 'agents:read',
    query: ListQuery,
    answer: PublicationSummaryPage,
    service: 'agents',
    byId: 'agent_id',
    etag: false,
  }),
  getPublication: route({
    id: 'get-publication',
    method: 'GET',
    path: publication,
    summary: 'Read a publication of an agent',
    tool: { description: 'Read one published version of an agent.' },
    scope: 'agents:read',
    answer: PublicationRecord,
    service: 'agents',
    byId: 'agent_id',
  }),
  diffPublication: route({
    id: 'diff-publication',
    method: 'GET',
    path: `${publication}/diff`,
    summary: 'Compare two publications of an agent',
    tool: { description: 'Say what differs between two published versions of an agent.' },
    scope: 'agents:read',
    query: PublicationDiffQuery,
    answer: PublicationDiff,
    service: 'agents',
    byId: 'agent_id',
  }),
  restorePublication: route({
    id: 'restore-publication',
    method: 'POST',
    path: `${publication}/restore`,
    summary: 'Save the configuration of an earlier publication again, as the next version',
    tool: {
      description:
        'Restore the configuration of an earlier published version, as a new version. Calls in progress keep theirs.',
    },
    scope: 'agents:write',
    answer: AgentVoiceStack,
    service: 'agents',
    newWork: true,
    audit: 'agent.publication_restored',
    byId: 'agent_id',
    conditional: true,
  }),
  previewVoiceStack: route({
    id: 'preview-voice-stack',
    method: 'POST',
    path: '/v1/agents/{agent_id}/voice-stack/preview',
    summary: 'Say what a voice-stack save would do, and write nothing',
    tool: {
      description:
        'Say what save_voice_stack would do with the same arguments: blockers, effective configuration, cost and latency. Changes nothing.',
    },
    scope: 'agents:write',
    body: AgentVoiceStackUpdate,
    answer: VoiceStackPreview,
    service: 'agents',
    byId: 'agent_id',
    newWork: false,
    // It stores nothing.
    audit: false,
    errors: ['AgentToolsChangedError', 'ConflictError', 'navigation_enabled_required'],
  }),
};
