import { compatibleProvider, compatibleServers, outsideText } from '@parley/contract';

/** The request that tests whether a provider accepts a credential. */
export interface ProviderTest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Account {
  /** Empty: the server needs no secret. */
  readonly secret: string;
  /** Undefined: the public address of the provider. */
  readonly baseUrl: string | undefined;
}

interface Probe {
  /** Without a trailing slash; undefined if the credential has to name the address. */
  readonly baseUrl: string | undefined;
  readonly path: string;
  /** The path of the list of models, if the provider has one. */
  readonly models?: string;
  headers(secret: string): Readonly<Record<string, string>>;
}

const bearer = (secret: string): Readonly<Record<string, string>> =>
  secret === '' ? {} : { authorization: `Bearer ${secret}` };

/**
 * For each provider a documented read request that is free of charge and needs the key. Base addresses have the form that the provider adapters use: for azure
 * with /openai/v1, for openai and compatible servers with /v1.
 */
const probes: Readonly<Record<string, Probe>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', path: '/models', models: '/models', headers: bearer },
  [compatibleProvider]: { baseUrl: undefined, path: '/models', models: '/models', headers: bearer },
  ...Object.fromEntries(
    compatibleServers.map(({ provider, base_url: baseUrl }) => [
      provider,
      { baseUrl: baseUrl ?? undefined, path: '/models', models: '/models', headers: bearer },
    ]),
  ),
  azure: {
    baseUrl: undefined,
    path: '/models',
    models: '/models',
    headers: (secret) => ({ 'api-key': secret }),
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    path: '/v1/models',
    models: '/v1/models?limit=1000',
    headers: (secret) => ({ 'x-api-key': secret, 'anthropic-version': '2023-06-01' }),
  },
  deepgram: {
    baseUrl: 'https://api.deepgram.com',
    path: '/v1/auth/token',
    models: '/v1/models',
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
    models: '/v1/models',
    headers: (secret) => ({ 'xi-api-key': secret }),
  },
};

/** @returns undefined if credentials of the provider cannot be tested: there is no such read request, or its address is unknown */
export const providerTestOf = (provider: string, account: Account): ProviderTest | undefined =>
  requestOf(provider, account, 'path');

/** The request for the list of models. @returns undefined if the provider has none, or its address is unknown */
export const modelsRequestOf = (provider: string, account: Account): ProviderTest | undefined =>
  requestOf(provider, account, 'models');

function requestOf(provider: string, { secret, baseUrl }: Account, what: 'path' | 'models'): ProviderTest | undefined {
  const probe = Object.hasOwn(probes, provider) ? probes[provider] : undefined;
  const base = baseUrl ?? probe?.baseUrl;
  const path = probe?.[what];
  if (probe === undefined || base === undefined || path === undefined) return undefined;
  const headers = { accept: 'application/json', 'user-agent': 'Parley/1', ...probe.headers(secret) };
  return { url: `${base.replace(/\/+$/, '')}${path}`, headers };
}

export interface TestResult {
  readonly ok: boolean;
  readonly detail: string;
}

/** Derives the test result from the provider's response. It contains no text of that response, which might repeat the secret. */
export function testResultOf(answer: {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}): TestResult {
  const { status, error } = answer;
  if (error !== undefined || status === undefined) {
    return { ok: false, detail: `the provider could not be reached: ${error ?? 'connection_failed'}` };
  }
  if (status >= 200 && status < 300) return { ok: true, detail: 'the provider accepted the credential' };
  if (status === 401 || status === 403)
    return { ok: false, detail: `the provider rejected the credential (${status})` };
  return { ok: false, detail: `the provider returned status ${status}` };
}

const mostModels = 1_000;
const longestName = 160;

/**
 * The names of models in a provider's answer: `data` (OpenAI's protocol, Anthropic), a list (ElevenLabs), or a list by kind (Deepgram).
 * @returns undefined if it has none of these forms
 */
export function modelsIn(answer: unknown, kind: string): readonly string[] | undefined {
  const fields = (typeof answer === 'object' && answer !== null ? answer : {}) as Readonly<Record<string, unknown>>;
  const list = Array.isArray(answer) ? answer : (fields.data ?? fields[kind]);
  if (!Array.isArray(list)) return undefined;
  const names = (list as unknown[]).flatMap((entry) => {
    const { id, model_id: modelId, canonical_name: canonical } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const name = [id, modelId, canonical].find((one) => typeof one === 'string');
    // Gemini's list has the names of resources.
    const bare = typeof name === 'string' ? outsideText(name).replace(/^models\//, '') : '';
    return bare === '' || bare.length > longestName ? [] : [bare];
  });
  return [...new Set(names)].sort().slice(0, mostModels);
}
