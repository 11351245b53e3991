import type { LeasedCredential } from '@parley/contract';
import { ProviderCalls } from './provider-calls';
import { openAiServer } from './providers/servers/openai-server';
import { serverKey, type ProviderServer } from './providers/servers/provider-server';

const provider = 'openai_compatible';
const turns = 10;
/** Requests of the first server that get no answer, counted from 0. */
const stalled = [2, 7];

/** Calls whose model provider stalls, with the credential of the agent and a second one. */
describe('a call whose model provider stalls', () => {
  let calls: ProviderCalls;
  let [first, second, voice]: ProviderServer[] = [];

  beforeAll(async () => {
    // Without a second request, a stalled one would exceed the time limit of this test.
    calls = await ProviderCalls.start(() => ({ connectMs: 120_000 }));
    [first, second, voice] = await Promise.all([1, 2, 3].map(() => openAiServer(undefined, () => 'Yes.').start()));
  });
  afterAll(async () => {
    await calls.stop();
    for (const server of [first, second, voice]) await server?.stop();
  });

  const credential = (kind: LeasedCredential['kind'], id: string, server: ProviderServer | undefined) => ({
    ...{ kind, provider, component_credential_id: id, secret: serverKey, base_url: `${server?.url ?? ''}/v1` },
  });

  it('repeats a stalled request with the second credential, and answers every question once', async () => {
    first?.fail(
      ...Array.from({ length: turns }, (_, n) => (stalled.includes(n) ? ('stall_before_first' as const) : undefined)),
    );
    const selection = { provider, model: 'model-1', voice_id: 'voice-1' };
    const call = await calls.call('job_hedged', {
      publication: { first_message: 'Hello.', transcriber: selection, model: selection, voice: selection },
      components: [
        credential('stt', 'cred_stt', voice),
        credential('llm', 'cred_bound', first),
        credential('llm', 'cred_standby', second),
        credential('tts', 'cred_tts', voice),
      ],
    });
    for (let turn = 1; turn <= turns; turn += 1) {
      await call.listens(turn);
      call.client.say({ type: 'text', text: `Question ${turn}` });
    }
    await call.listens(turns + 1);
    const { problems } = await call.hangUp();
    expect(call.said('agent')).toEqual(['Hello.', ...Array.from({ length: turns }, () => 'Yes.')]);
    expect(first?.requests).toBe(turns);
    const hedged = problems.filter(({ code }) => code === 'provider_hedged').length;
    // On a busy machine, other requests may be repeated too.
    expect(hedged).toBeGreaterThanOrEqual(stalled.length);
    expect(second?.requests).toBe(hedged);
  });
});
