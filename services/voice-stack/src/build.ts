import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { createCatalogue } from './catalogue';
import type { VoiceStackConfig } from './config';
import { voiceStackService } from './grpc/voice-stack-service';

/** The composition root. */
export function build({ config, db }: Infrastructure<VoiceStackConfig>): ServiceParts {
  const platformManaged = config.platformProviders
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { grpc: [voiceStackService(db, createCatalogue({ environment: config.parleyEnv, platformManaged }))] };
}
