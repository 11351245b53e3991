import { VoicePreviewCreate, WavAudio } from '../objects/voice-preview';
import { route } from './define';

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
    service: 'agents',
    waits: true,
    errors: ['NotFoundError', 'rate_limited'],
  }),
};
