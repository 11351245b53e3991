import { VoiceListQuery, VoicePage } from '../objects/voice';
import { VoicePreviewCreate, WavAudio } from '../objects/voice-preview';
import { route } from './define';

export const voiceRoutes = {
  listVoices: route({
    id: 'list-voices',
    method: 'GET',
    path: '/v1/voices',
    summary: 'List the voices of a provider',
    tool: {
      description:
        "List the voices of a provider of the agent catalogue, those of the organization's own account if it has a credential; filter by language. Gives the voice_id that save_voice_stack takes.",
    },
    scope: 'agents:read',
    query: VoiceListQuery,
    answer: VoicePage,
    service: 'voice-stack',
    waits: true,
    errors: ['rate_limited'],
  }),
};

export const voicePreviewRoutes = {
  previewVoice: route({
    id: 'preview-voice',
    method: 'POST',
    path: '/v1/voice-previews',
    summary: 'Hear a text in a voice with a delivery',
    scope: 'agents:write',
    body: VoicePreviewCreate,
    answer: WavAudio,
    media: 'audio/wav',
    alsoJson: true,
    service: 'agents',
    newWork: false,
    // It stores nothing.
    audit: false,
    waits: true,
    errors: ['NotFoundError', 'rate_limited'],
  }),
};
