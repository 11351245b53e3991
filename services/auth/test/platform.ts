import { createHash, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { expandScopes } from '@parley/contract';
import { AuthServiceService, type AuthServiceServer, type Principal } from '@parley/proto/auth';
import {
  createDatabase,
  grpcClient,
  type Caller,
  type Database,
  type GrpcClient,
  type OutgoingContext,
} from '@parley/runtime';
import { inProcessGrpc, testDatabase } from '@parley/testing';
import { createVault, parseVaultKeys } from '@parley/vault';
import { parsePeppers } from '../src/domain/peppers';
import { authService } from '../src/grpc/auth-service';
import type { Dependencies } from '../src/usecases/dependencies';
import { mintPlatformKey } from '../src/usecases/mint-platform-key';

export const pepper = randomBytes(32).toString('base64');

/** Auth over gRPC on a database of its own, with two replicas, one operator and the organizations that a test makes. */
export interface Platform {
  readonly db: Database;
  readonly adminUrl: string;
  readonly client: GrpcClient<AuthServiceServer>;
  readonly replica: GrpcClient<AuthServiceServer>;
  readonly dependencies: Dependencies;
  readonly operator: { keyId: string; token: string };
  readonly touched: string[];
  stop(): Promise<void>;
}

export async function startPlatform(): Promise<Platform> {
  const database = await testDatabase({
    migrations: path.join(__dirname, '../migrations'),
    schema: 'auth',
    proveFinders: true,
  });
  const touched: string[] = [];
  const touch = (keyId: string): void => void touched.push(keyId);
  const second = createDatabase({ url: database.url, schema: 'auth', poolSize: 20 });
  database.observe(second);
  const vault = createVault(parseVaultKeys(`k1:${randomBytes(32).toString('base64')}`));
  const dependencies = { db: database.db, peppers: parsePeppers(`1:${pepper}`), random: randomBytes, vault };
  const servers = await Promise.all(
    [database.db, second].map((db) => inProcessGrpc([authService({ ...dependencies, db }, { touch })])),
  );
  const [client, replica] = servers.map(({ address }) => grpcClient<AuthServiceServer>(AuthServiceService, address));
  if (client === undefined || replica === undefined) throw new Error('two servers were started');
  return {
    db: database.db,
    adminUrl: database.adminUrl,
    client,
    replica,
    dependencies,
    operator: await mintPlatformKey(dependencies, 'test operator', 'operator'),
    touched,
    async stop() {
      client.close();
      replica.close();
      await Promise.all(servers.map((server) => server.stop()));
      await second.pool.end();
      await database.drop();
    },
  };
}

/** The caller that the gateway makes of a verified key. */
export const callerOf = (principal: Principal): Caller => ({
  keyId: principal.keyId,
  organizationId: principal.organizationId,
  kind: principal.kind as Caller['kind'],
  scopes: expandScopes(principal.scopes),
});

export const as = (caller: Caller): OutgoingContext => ({ caller, requestId: randomUUID() });

export const anonymous: OutgoingContext = { requestId: 'test' };

export async function asToken(platform: Platform, token: string): Promise<OutgoingContext> {
  return as(callerOf(await platform.client.verifyToken({ token }, anonymous)));
}

export const asOperator = (platform: Platform): Promise<OutgoingContext> => asToken(platform, platform.operator.token);

export const idempotency = (route: string, body: unknown, key: string = randomUUID()) => ({
  key,
  route,
  fingerprint: createHash('sha256').update(JSON.stringify(body)).digest(),
});

export const firstPage = { limit: 20, cursor: '' };

export async function newOrganization(platform: Platform, name = 'Acme'): Promise<string> {
  const operator = await asOperator(platform);
  const request = { name, billing: '', idempotency: undefined };
  const { organization } = await platform.client.createOrganization(request, operator);
  return organization?.organizationId ?? '';
}

export interface TestKey {
  readonly keyId: string;
  readonly token: string;
  readonly scopes: string[];
}

/** Mints as `context`; throws what auth answers. */
export async function mint(
  platform: Platform,
  context: OutgoingContext,
  organizationId: string,
  scopes: string[],
  expiresAt = '',
): Promise<TestKey> {
  const request = { organizationId, name: 'a key', scopes, expiresAt, idempotency: undefined };
  const { key, token } = await platform.client.mintKey(request, context);
  return { keyId: key?.keyId ?? '', token, scopes: key?.scopes ?? [] };
}

/** An organization with a key that holds `all`. */
export async function organizationWithKey(
  platform: Platform,
): Promise<{ organizationId: string; admin: OutgoingContext; adminKey: TestKey }> {
  const organizationId = await newOrganization(platform);
  const adminKey = await mint(platform, await asOperator(platform), organizationId, ['all']);
  return { organizationId, adminKey, admin: await asToken(platform, adminKey.token) };
}
