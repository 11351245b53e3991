import { Counter } from 'prom-client';
import { AppError } from '@parley/errors';
import { idempotencyPruner } from '@parley/service';
import { createRelay } from '@parley/outbox';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { poller, type Caller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createVault, parseVaultKeys } from '@parley/vault';
import { Credentials } from './clients/credentials';
import { VoiceStack } from './clients/voice-stack';
import type { AgentsConfig } from './config';
import { rememberedRecords } from './db/jobs/remembered-records';
import { agentsService } from './grpc/agents-service';
import { agentsPublicService } from './handlers';
import { refreshProjections } from './usecases/refresh-projections';

/** How long a read may show what an older catalogue said. */
const REFRESH_EVERY_MS = 30_000;

/** Who asks where no request of a client does. */
const ownCaller: Caller = { keyId: '', organizationId: '', kind: 'service', scopes: [] };

/** The composition root. */
export function build({ config, db, nats, clock, client, log, metrics }: Infrastructure<AgentsConfig>): ServiceParts {
  const voiceStack = new VoiceStack(
    client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress),
    clock,
  );
  const relay = createRelay({ db, nats, log, metrics, streams: ['AUDIT'], replicas: config.natsStreamReplicas });
  const blocked = new Counter({
    name: 'agents_publications_blocked_total',
    help: 'Publications that were refused, by the code of their first blocker',
    labelNames: ['code'],
    registers: [metrics],
  });
  const dependencies = {
    db,
    voiceStack,
    credentials: new Credentials(client<AuthServiceServer>(AuthServiceService, config.authAddress)),
    vault: createVault(parseVaultKeys(config.vaultKeys)),
    committed: () => relay.nudge(),
    publicationBlocked: (code: string) => blocked.inc({ code }),
  };
  const refresh = poller({
    name: 'refresh-projections',
    everyMs: REFRESH_EVERY_MS,
    run: async (signal) => {
      try {
        await refreshProjections(dependencies, { caller: ownCaller, requestId: 'refresh-projections', signal });
      } catch (error) {
        if (!(error instanceof AppError && error.retryable)) throw error;
        log.info({ err: error }, 'projections wait for voice-stack');
      }
    },
    log,
  });
  return {
    grpc: [
      agentsService(dependencies),
      agentsPublicService(dependencies, { insecureUrls: config.parleyEnv === 'development' }),
    ],
    jobs: [relay, refresh, idempotencyPruner({ db, log, recordExists: rememberedRecords })],
  };
}
