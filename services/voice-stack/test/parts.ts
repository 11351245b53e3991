import type { AuthServiceServer } from '@parley/proto/auth';
import { networkAdapters } from '@parley/providers';
import type { Database, GrpcClient } from '@parley/runtime';
import { createAddressPolicy, createVettedRequests, type VettedRequests } from '@parley/service';
import { providerAccounts, type PlatformAccounts } from '../src/accounts';
import { Catalogues } from '../src/catalogue';
import { AccountVoices, type Speakers } from '../src/previews';
import type { VoiceStackParts } from '../src/voice-stack-service';
import { Inventories } from '../src/voices';

/** A credential of the simulated auth service. */
export interface Kept {
  readonly id: string;
  readonly organizationId: string;
  readonly provider: string;
  readonly secret: string;
  readonly baseUrl: string;
}

/** A simulated auth service that records each request for a credential. Auth has its own tests. */
export class KeptCredentials implements Pick<GrpcClient<AuthServiceServer>, 'openComponentCredential'> {
  readonly opened: string[] = [];
  /** Oldest first. */
  readonly all: Kept[] = [];

  openComponentCredential: GrpcClient<AuthServiceServer>['openComponentCredential'] = (request) => {
    const { organizationId, provider, componentCredentialId: id, purpose } = request;
    this.opened.push(`${organizationId} ${provider} ${id} ${purpose}`);
    const found = this.all.findLast(
      (one) => one.organizationId === organizationId && one.provider === provider && one.id === id,
    );
    const opened = found && { componentCredentialId: found.id, kind: 'tts', ...found };
    return Promise.resolve({ componentCredential: opened });
  };
}

export interface Given {
  readonly db?: Database;
  readonly credentials?: KeptCredentials;
  readonly platform?: PlatformAccounts;
  readonly offline?: Speakers['offline'];
  /** Whether connections to loopback addresses are allowed. Default: true. */
  readonly local?: boolean;
  readonly now?: () => number;
  readonly timeoutMs?: number;
  readonly atOnce?: number;
}

const nothing = { synthesize: () => Promise.reject(new Error('not this one')) };

/** The dependencies of the service. */
export function partsOf(given: Given = {}): VoiceStackParts & { readonly vetted: VettedRequests } {
  const { platform = new Map(), timeoutMs = 60_000, atOnce = 8 } = given;
  const vetted = createVettedRequests(createAddressPolicy({ development: given.local ?? true }));
  const accounts = providerAccounts(given.credentials ?? new KeptCredentials(), platform, vetted);
  return {
    vetted,
    db: given.db as Database,
    catalogues: new Catalogues({ environment: 'development', platformManaged: [...platform.keys()] }),
    speakers: {
      offline: given.offline ?? nothing,
      voices: new AccountVoices({ timeoutMs, atOnce }),
      accounts,
      synthesizerOf: (name, account) => networkAdapters.find((one) => one.name === name)?.synthesizer?.(account),
    },
    inventories: new Inventories(accounts, given.now ?? (() => 0)),
    platform,
  };
}
