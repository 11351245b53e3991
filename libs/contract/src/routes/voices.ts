import { VoiceListQuery, VoicePage } from '../objects/voice';
import { VoicePreviewCreate, WavAudio } from '../objects/voice-preview';
import { routesOf } from './define';

const route = routesOf('voice-stack');
const ofAgents = routesOf('agents');

export const voiceRoutes = {
  listVoices: route('GET', '/v1/voices', {
    summary: 'List the voices of a provider',
    tool: "List the voices of a provider of the agent catalogue, those of the organization's own account if it has a credential; filter by language. Gives the voice_id that save_voice_stack takes.",
    scope: 'agents:read',
    query: VoiceListQuery,
    answer: VoicePage,
    waits: true,
    errors: ['rate_limited'],
  }),
};

export const voicePreviewRoutes = {
  previewVoice: ofAgents('POST', '/v1/voice-previews', {
    summary: 'Hear a text in a voice with a delivery',
    scope: 'agents:write',
    body: VoicePreviewCreate,
    answer: WavAudio,
    media: 'audio/wav',
    alsoJson: true,
    newWork: false,
    // It stores nothing.
    audit: false,
    waits: true,
    errors: ['NotFoundError', 'rate_limited'],
  }),
};
