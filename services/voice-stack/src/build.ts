import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { networkAdapters } from '@parley/providers';
import { poller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createAddressPolicy, createVettedRequests } from '@parley/service';
import { FliteVoice } from '@parley/speech';
import { providerAccounts } from './accounts';
import { Catalogues } from './catalogue';
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
export async function build(infrastructure: Infrastructure<VoiceStackConfig>): Promise<ServiceParts> {
  const { config, log, db, clock, client } = infrastructure;
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
  const catalogues = new Catalogues({ environment, platformManaged, navigationEnabled });
  const { catalogueDir: folder = '' } = config;
  // A file that cannot be used is reported by the task below; until it is repaired, the vendors of this release are offered.
  if (folder !== '') await catalogues.read(folder).catch(() => {});
  const inventories = new Inventories(accounts, () => clock.monotonicMs());
  return {
    grpc: [
      voiceStackService({ db, catalogues, speakers, inventories, platform }),
      voiceStackPublicService(catalogues, inventories),
    ],
    jobs: [
      ...(folder === ''
        ? []
        : [poller({ name: 'catalogue', everyMs: 10_000, run: () => catalogues.read(folder), log })]),
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
