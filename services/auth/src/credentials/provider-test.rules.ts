import { compatibleProvider } from '@parley/contract';

/** The request that tests whether a provider accepts a credential. */
export interface ProviderTest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Account {
  /** Empty: the server needs none. */
  readonly secret: string;
  /** Undefined: the provider's public address. */
  readonly baseUrl: string | undefined;
}

interface Probe {
  /** Without a slash at the end; undefined where the credential must name it. */
  readonly baseUrl: string | undefined;
  readonly path: string;
  headers(secret: string): Readonly<Record<string, string>>;
}

const bearer = (secret: string): Readonly<Record<string, string>> =>
  secret === '' ? {} : { authorization: `Bearer ${secret}` };

/** Addresses as adapters take them: of azure with /openai/v1, of openai and compatible servers with /v1. Of each provider a documented read that costs nothing and needs the key. */
const probes: Readonly<Record<string, Probe>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', path: '/models', headers: bearer },
  [compatibleProvider]: { baseUrl: undefined, path: '/models', headers: bearer },
  azure: {
    baseUrl: undefined,
    path: '/models',
    headers: (secret) => ({ 'api-key': secret }),
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    path: '/v1/models',
    headers: (secret) => ({ 'x-api-key': secret, 'anthropic-version': '2023-06-01' }),
  },
  deepgram: {
    baseUrl: 'https://api.deepgram.com',
    path: '/v1/auth/token',
    headers: (secret) => ({ authorization: `Token ${secret}` }),
  },
  assemblyai: {
    baseUrl: 'https://api.assemblyai.com',
    path: '/v2/transcript?limit=1',
    headers: (secret) => ({ authorization: secret }),
  },
  cartesia: {
    baseUrl: 'https://api.cartesia.ai',
    path: '/voices?limit=1',
    headers: (secret) => ({ authorization: `Bearer ${secret}`, 'cartesia-version': '2025-04-16' }),
  },
  elevenlabs: {
    baseUrl: 'https://api.elevenlabs.io',
    path: '/v1/models',
    headers: (secret) => ({ 'xi-api-key': secret }),
  },
};

/** Undefined if credentials of the provider cannot be tested: there is no such read, or its address is unknown. */
export function providerTestOf(provider: string, { secret, baseUrl }: Account): ProviderTest | undefined {
  const probe = Object.hasOwn(probes, provider) ? probes[provider] : undefined;
  const base = baseUrl ?? probe?.baseUrl;
  if (probe === undefined || base === undefined) return undefined;
  const headers = { accept: 'application/json', 'user-agent': 'Parley/1', ...probe.headers(secret) };
  return { url: `${base.replace(/\/+$/, '')}${probe.path}`, headers };
}

export interface TestResult {
  readonly ok: boolean;
  readonly detail: string;
}

/** The test result of a response; nothing that the provider sent is repeated. */
export function testResultOf(answer: {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}): TestResult {
  const { status, error } = answer;
  if (error !== undefined || status === undefined) {
    return { ok: false, detail: `the provider could not be asked: ${error ?? 'connection_failed'}` };
  }
  if (status >= 200 && status < 300) return { ok: true, detail: 'the provider took the credential' };
  if (status === 401 || status === 403) return { ok: false, detail: `the provider refused the credential (${status})` };
  return { ok: false, detail: `the provider answered ${status}` };
}
