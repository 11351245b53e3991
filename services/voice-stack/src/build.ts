import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { FliteVoice } from '@parley/speech';
import { createCatalogue, describeCatalogue } from './catalogue';
import { accountAt, type VoiceStackConfig } from './config';
import { voiceStackService } from './voice-stack-service';
import { voiceStackPublicService } from './handlers';
import { synthesizersOf } from './previews';

/** Two previews are made at once and eight wait; each takes well under a second of a processor. */
const previewThreads = { threads: 2, waiting: 8, timeoutMs: 10_000 };

/** The composition root. */
export function build({ config, db }: Infrastructure<VoiceStackConfig>): ServiceParts {
  const platformManaged = config.platformProviders
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const offlineVoice = new FliteVoice(previewThreads);
  const synthesizers = synthesizersOf(offlineVoice, platformManaged, (name) => accountAt(config, name));
  const accounts = new Map(
    platformManaged.flatMap((name) => {
      const { apiKey = '', baseUrl = '' } = accountAt(config, name);
      return apiKey === '' ? [] : [[name, { secret: apiKey, baseUrl: baseUrl.replace(/\/+$/, '') }] as const];
    }),
  );
  const { parleyEnv: environment, navigationReleased } = config;
  const catalogue = createCatalogue({ environment, platformManaged, navigationReleased });
  return {
    grpc: [
      voiceStackService(db, catalogue, synthesizers, accounts),
      voiceStackPublicService(describeCatalogue(catalogue)),
    ],
    jobs: [{ name: 'speech-pool', start: () => {}, stop: () => offlineVoice.stop() }],
  };
}
