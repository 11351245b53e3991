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
import { routesOf } from './define';

const route = routesOf('agents');

const publication = '/v1/agents/{agent_id}/publications/{version}';

export const publicationRoutes = {
  listPublications: route('GET', '/v1/agents/{agent_id}/publications', {
    summary: 'List the publications of an agent, newest first',
    tool: 'List the published versions of an agent, newest first.',
    scope: 'agents:read',
    query: ListQuery,
    answer: PublicationSummaryPage,
    etag: false,
  }),
  getPublication: route('GET', publication, {
    summary: 'Read a publication of an agent',
    tool: 'Read one published version of an agent.',
    scope: 'agents:read',
    answer: PublicationRecord,
  }),
  diffPublication: route('GET', `${publication}/diff`, {
    summary: 'Compare two publications of an agent',
    tool: 'Say what differs between two published versions of an agent.',
    scope: 'agents:read',
    query: PublicationDiffQuery,
    answer: PublicationDiff,
  }),
  restorePublication: route('POST', `${publication}/restore`, {
    summary: 'Save the configuration of an earlier publication again, as the next version',
    tool: 'Restore the configuration of an earlier published version, as a new version. Calls in progress keep theirs.',
    scope: 'agents:write',
    answer: AgentVoiceStack,
    newWork: true,
    audit: 'agent.publication_restored',
    conditional: true,
  }),
  previewVoiceStack: route('POST', '/v1/agents/{agent_id}/voice-stack/preview', {
    summary: 'Say what a voice-stack save would do, and write nothing',
    tool: 'Say what save_voice_stack would do with the same arguments: blockers, effective configuration, cost and latency. Changes nothing.',
    scope: 'agents:write',
    body: AgentVoiceStackUpdate,
    answer: VoiceStackPreview,
    newWork: false,
    // It stores nothing.
    audit: false,
    errors: ['AgentToolsChangedError', 'ConflictError', 'navigation_enabled_required'],
  }),
};
