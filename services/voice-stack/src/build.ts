import { join } from 'node:path';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { createCatalogue } from './catalogue';
import type { VoiceStackConfig } from './config';
import { voiceStackService } from './grpc/voice-stack-service';
import { voiceStackPublicService } from './handlers';
import { OfflineVoice } from './speech/offline-voice';
import { SpeechPool } from './speech/speech-pool';
import { synthesizersOf } from './speech/synthesizers';
import { describeCatalogue } from './usecases/describe-catalogue';

/** Two previews are made at once and eight wait; each takes well under a second of a processor. */
const speechPool = {
  file: join(__dirname, '../dist/speech/flite-worker.js'),
  threads: 2,
  waiting: 8,
  timeoutMs: 10_000,
};

/** The composition root. */
export function build({ config, db }: Infrastructure<VoiceStackConfig>): ServiceParts {
  const platformManaged = config.platformProviders
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const pool = new SpeechPool(speechPool);
  const synthesizers = synthesizersOf(new OfflineVoice(pool), platformManaged, {
    elevenlabs: { apiKey: config.elevenlabsApiKey, baseUrl: config.elevenlabsUrl },
    openai: { apiKey: config.openaiApiKey, baseUrl: config.openaiUrl },
  });
  const { parleyEnv: environment, navigationReleased } = config;
  const catalogue = createCatalogue({ environment, platformManaged, navigationReleased });
  return {
    grpc: [voiceStackService(db, catalogue, synthesizers), voiceStackPublicService(describeCatalogue(catalogue))],
    jobs: [{ name: 'speech-pool', start: () => {}, stop: () => pool.stop() }],
  };
}
