import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { networkAdapters } from '@parley/providers';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { createAddressPolicy, createVettedRequests } from '@parley/service';
import { FliteVoice } from '@parley/speech';
import { providerAccounts } from './accounts';
import { createCatalogue, describeCatalogue } from './catalogue';
import { accountAt, type VoiceStackConfig } from './config';
import { voiceStackPublicService } from './handlers';
import { AccountVoices, type Speakers } from './previews';
import { voiceStackService } from './voice-stack-service';
import { Inventories } from './voices';

/** Two offline previews run at once and eight wait; each takes well under a second of processor time. */
const previewThreads = { threads: 2, waiting: 8, timeoutMs: 10_000 };
/** Limits of previews by providers; the timeout is shorter than the time that the agents service waits for a preview. */
const byProviders = { timeoutMs: 15_000, atOnce: 8 };

/** The composition root. */
export function build({ config, db, clock, client }: Infrastructure<VoiceStackConfig>): ServiceParts {
  const platformManaged = config.platformProviders
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const platform = new Map(
    platformManaged.flatMap((name) => {
      const { apiKey = '', baseUrl = '' } = accountAt(config, name);
      return apiKey === '' ? [] : [[name, { secret: apiKey, baseUrl: baseUrl.replace(/\/+$/, '') }] as const];
    }),
  );
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const vetted = createVettedRequests(policy);
  const auth = client<AuthServiceServer>(AuthServiceService, config.authAddress);
  const accounts = providerAccounts(auth, platform, vetted);
  const offline = new FliteVoice(previewThreads);
  const speakers: Speakers = { offline, voices: new AccountVoices(byProviders), accounts, synthesizerOf };
  const { parleyEnv: environment, navigationEnabled } = config;
  const catalogue = createCatalogue({ environment, platformManaged, navigationEnabled });
  const inventories = new Inventories(accounts, () => clock.monotonicMs());
  return {
    grpc: [
      voiceStackService({ db, catalogue, speakers, inventories, platform }),
      voiceStackPublicService(describeCatalogue(catalogue), catalogue, inventories),
    ],
    jobs: [
      { name: 'speech-pool', start: () => {}, stop: () => offline.stop() },
      { name: 'provider-connections', start: () => {}, stop: () => vetted.close() },
    ],
  };
}

const synthesizerOf: Speakers['synthesizerOf'] = (provider, account) => {
  const adapter = networkAdapters.find(({ name }) => name === provider);
  if (adapter?.requiresBaseUrl === true && account.baseUrl === undefined) return undefined;
  return adapter?.synthesizer?.(account);
};
