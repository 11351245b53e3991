import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { VoiceStack } from './clients/voice-stack';
import type { AgentsConfig } from './config';
import { agentsService } from './grpc/agents-service';

/** The composition root. */
export function build({ config, db, clock, client }: Infrastructure<AgentsConfig>): ServiceParts {
  const voiceStack = new VoiceStack(
    client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress),
    clock,
  );
  return { grpc: [agentsService({ db, voiceStack }, { insecureUrls: config.parleyEnv === 'development' })] };
}
