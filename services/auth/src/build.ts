import { randomBytes } from 'node:crypto';
import {
  changingVault,
  createAddressPolicy,
  createOutboundClient,
  idempotencyPruner,
  vaultRewrapper,
} from '@parley/service';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { streamKeeper } from '@parley/outbox';
import { auditPruner } from './audit';
import type { AuthConfig } from './config';
import { sealedCredentials } from './credentials';
import { recordExists } from './organizations';
import { changingPeppers, keyPruner, lastUsed, type Dependencies } from './keys';
import { auditConsumer, changePruner } from './control-state';
import { authService } from './auth-service';
import { authPublicService } from './handlers';
import { parseProviderSecrets, verificationProvider, type VerificationParts } from './verifications';

export function dependencies({ config, db }: Infrastructure<AuthConfig>): Dependencies & VerificationParts {
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const outbound = createOutboundClient({ policy });
  const { verificationProviderUrl: url, verificationProviderSecret: secret } = config;
  return {
    db,
    peppers: changingPeppers(config.tokenPeppers),
    random: randomBytes,
    vault: changingVault(config.vaultKeys),
    policy,
    outbound,
    provider:
      url === undefined || secret === undefined
        ? undefined
        : verificationProvider({ url, secrets: parseProviderSecrets(secret) }, outbound),
  };
}

/** The composition root. */
export function build(infrastructure: Infrastructure<AuthConfig>): ServiceParts {
  const { db, nats, log, metrics, config } = infrastructure;
  const used = lastUsed({ db, log });
  const deps = dependencies(infrastructure);
  return {
    grpc: [authPublicService(deps, { insecureUrls: config.parleyEnv === 'development' }), authService(deps, used)],
    consumers: [auditConsumer({ db, nats, log, metrics, replicas: config.natsStreamReplicas })],
    jobs: [
      streamKeeper({
        nats,
        log,
        replicas: config.natsStreamReplicas,
        recordingsBytes: config.recordingsBucketBytes,
      }),
      used,
      changePruner({ db, log }),
      keyPruner({ db, log }),
      auditPruner({ db, log, days: config.auditRetentionDays }),
      idempotencyPruner({ db, log, recordExists }),
      vaultRewrapper({ vault: deps.vault, sources: [sealedCredentials(db)], log, metrics }),
    ],
  };
}
