import { randomBytes } from 'node:crypto';
import { idempotencyPruner } from '@parley/service';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { createVault, parseVaultKeys } from '@parley/vault';
import type { AuthConfig } from './config';
import { rememberedRecords } from './db/jobs/remembered-records';
import { parsePeppers } from './domain/peppers';
import { auditConsumer } from './events/audit-consumer';
import { authService } from './grpc/auth-service';
import { authPublicService } from './handlers';
import type { Dependencies } from './usecases/dependencies';
import { lastUsed } from './usecases/last-used';

export const dependencies = ({ config, db }: Infrastructure<AuthConfig>): Dependencies => ({
  db,
  peppers: parsePeppers(config.tokenPeppers),
  random: randomBytes,
  vault: createVault(parseVaultKeys(config.vaultKeys)),
});

/** The composition root. */
export function build(infrastructure: Infrastructure<AuthConfig>): ServiceParts {
  const { db, nats, log, metrics, config } = infrastructure;
  const used = lastUsed({ db, log });
  const deps = dependencies(infrastructure);
  return {
    grpc: [authPublicService(deps), authService(deps, used)],
    consumers: [auditConsumer({ db, nats, log, metrics, replicas: config.natsStreamReplicas })],
    jobs: [used, idempotencyPruner({ db, log, recordExists: rememberedRecords })],
  };
}
