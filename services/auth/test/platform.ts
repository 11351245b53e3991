import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { expandScopes, routes, type ApiKeyRecord, type AuditEntry } from '@parley/contract';
import { AuthServiceService, type AuthServiceServer, type Principal } from '@parley/proto/auth';
import {
  createDatabase,
  serviceCaller,
  type Caller,
  type Database,
  type GrpcClient,
  type OutgoingContext,
  type PublicClient,
} from '@parley/runtime';
import { grpcClient, inProcessGrpc, publicClient, requestPublic, testDatabase } from '@parley/testing';
import { createAddressPolicy, createOutboundClient } from '@parley/service';
import { createVault, parseVaultKeys } from '@parley/vault';
import { parsePeppers } from '../src/keys/peppers.rules';
import { authService } from '../src/auth-service';
import { authPublicService } from '../src/handlers';
import type { Dependencies } from '../src/keys/dependencies';
import { verificationProvider, type ProviderSettings } from '../src/verifications/verification-provider';
import { mintPlatformKey } from '../src/keys/mint-platform-key';

export const pepper = randomBytes(32).toString('base64');

/** The auth service over gRPC with a temporary database, two replicas, and one operator. Tests create the organizations. */
export interface Platform {
  readonly db: Database;
  readonly adminUrl: string;
  /** The RPCs and the public routes of the first replica. */
  readonly client: GrpcClient<AuthServiceServer>;
  readonly api: PublicClient;
  /** The RPCs and the public routes of the second replica. */
  readonly replica: GrpcClient<AuthServiceServer>;
  readonly replicaApi: PublicClient;
  readonly dependencies: Dependencies;
  readonly operator: { keyId: string; token: string };
  readonly touched: string[];
  stop(): Promise<void>;
}

export async function startPlatform(settings?: ProviderSettings): Promise<Platform> {
  const database = await testDatabase({
    schemaFile: path.join(__dirname, '../schema.sql'),
    schema: 'auth',
    checkCrossTenantReads: true,
  });
  const touched: string[] = [];
  const touch = (keyId: string, address?: string): void => void touched.push(address ? `${keyId} ${address}` : keyId);
  const second = createDatabase({ url: database.url, schema: 'auth', poolSize: 20 });
  database.observe(second);
  const vault = createVault(parseVaultKeys(`k1:${randomBytes(32).toString('base64')}`));
  const policy = createAddressPolicy({ development: true });
  const outbound = createOutboundClient({ policy });
  const provider = settings === undefined ? undefined : verificationProvider(settings, outbound);
  const dependencies = {
    db: database.db,
    peppers: parsePeppers(`1:${pepper}`),
    random: randomBytes,
    vault,
    policy,
    outbound,
    provider,
  };
  const servers = await Promise.all(
    [database.db, second].map((db) =>
      inProcessGrpc([
        authPublicService({ ...dependencies, db }, { insecureUrls: true }),
        authService({ ...dependencies, db }, { touch }),
      ]),
    ),
  );
  const clients = servers.map(({ address }) => ({
    typed: grpcClient<AuthServiceServer>(AuthServiceService, address),
    open: publicClient(address),
  }));
  const [one, other] = clients;
  if (one === undefined || other === undefined) throw new Error('two servers were started');
  return {
    db: database.db,
    adminUrl: database.adminUrl,
    client: one.typed,
    api: one.open,
    replica: other.typed,
    replicaApi: other.open,
    dependencies,
    operator: await mintPlatformKey(dependencies, 'test operator', 'operator'),
    touched,
    async stop() {
      for (const { typed, open } of clients) {
        typed.close();
        open.close();
      }
      await Promise.all(servers.map((server) => server.stop()));
      await outbound.close();
      await second.pool.end();
      await database.drop();
    },
  };
}

/** The caller that the gateway derives from a verified key. */
export const callerOf = (principal: Principal): Caller => ({
  keyId: principal.keyId,
  organizationId: principal.organizationId,
  kind: principal.kind as Caller['kind'],
  scopes: expandScopes(principal.scopes),
});

/** The context of an RPC on behalf of a caller. */
export const as = (caller: Caller): OutgoingContext => ({ caller, requestId: randomUUID() });

/** The context of an RPC that a service sends for itself. */
export const anonymous: OutgoingContext = { requestId: 'test', caller: serviceCaller };

export async function asToken(platform: Platform, token: string): Promise<Caller> {
  return callerOf(await platform.client.verifyToken({ token }, anonymous));
}

export const asOperator = (platform: Platform): Promise<Caller> => asToken(platform, platform.operator.token);

export async function newOrganization(platform: Platform, name = 'Acme'): Promise<string> {
  const caller = await asOperator(platform);
  const { body } = await requestPublic(platform.api, routes.createOrganization, { caller, body: { name } });
  return body.organization_id;
}

export interface TestKey {
  readonly keyId: string;
  readonly token: string;
  readonly scopes: string[];
}

/** Creates an API key as the caller; rejects with the error of auth. */
export async function mint(
  platform: Platform,
  caller: Caller | undefined,
  organizationId: string,
  scopes: string[],
  expiresAt?: string,
): Promise<TestKey> {
  const { body } = await requestPublic(platform.api, routes.mintApiKey, {
    caller,
    organizationId,
    body: { organization_id: organizationId, name: 'a key', scopes, expires_at: expiresAt },
  });
  return { keyId: body.key_id, token: body.token ?? '', scopes: body.scopes };
}

export async function revoke(
  api: PublicClient,
  caller: Caller,
  organizationId: string,
  keyId: string,
): Promise<ApiKeyRecord> {
  const params = { key_id: keyId };
  return (await requestPublic(api, routes.revokeApiKey, { caller, organizationId, params })).body;
}

export async function listedKeys(
  platform: Platform,
  caller: Caller,
  organizationId = caller.organizationId,
): Promise<ApiKeyRecord[]> {
  return (await requestPublic(platform.api, routes.listApiKeys, { caller, organizationId })).body.data;
}

/** The newest audit entries of an organization. */
export async function auditLog(
  platform: Platform,
  caller: Caller,
  organizationId = caller.organizationId,
): Promise<AuditEntry[]> {
  const request = { caller, organizationId, params: { organization_id: organizationId } };
  return (await requestPublic(platform.api, routes.listAuditLog, request)).body.data;
}

/** Creates an organization and a key with the scope `all`. */
export async function organizationWithKey(
  platform: Platform,
): Promise<{ organizationId: string; admin: Caller; adminKey: TestKey }> {
  const organizationId = await newOrganization(platform);
  const adminKey = await mint(platform, await asOperator(platform), organizationId, ['all']);
  return { organizationId, adminKey, admin: await asToken(platform, adminKey.token) };
}
