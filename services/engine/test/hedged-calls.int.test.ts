import type { LeasedCredential } from '@parley/contract';
import { eventually } from '@parley/testing';
import { ProviderCalls } from './provider-calls';
import { openAiServer } from './providers/servers/openai-server';
import { serverKey, type ProviderServer } from './providers/servers/provider-server';

const provider = 'openai_compatible';
const callsAtOnce = 4;
const rounds = 5;
const turns = 10;
const replies = callsAtOnce * rounds * turns;
/** Of 100 requests. */
const stalled = 2;

interface Conversed {
  readonly waits: readonly number[];
  readonly hedged: number;
}

/** Whole calls whose model is of a provider that stalls, with the credential that the agent binds and one on standby. */
describe('calls of a provider that stalls 2 % of its requests', () => {
  let calls: ProviderCalls;
  let [first, second, voice, steady]: ProviderServer[] = [];

  beforeAll(async () => {
    calls = await ProviderCalls.start({});
    [first, second, voice, steady] = await Promise.all(
      [1, 2, 3, 4].map(() => openAiServer(undefined, () => 'Yes.').start()),
    );
  });
  afterAll(async () => {
    await calls.stop();
    for (const server of [first, second, voice, steady]) await server?.stop();
  });

  /** The first one comes when it is known how long the provider usually takes: before, a second request is made after 250 ms. */
  function stall(): void {
    const every = 100 / stalled;
    first?.fail(
      ...Array.from({ length: 2 * replies }, (_, n) =>
        n % every === every / 2 ? ('stall_before_first' as const) : undefined,
      ),
    );
  }

  const credential = (kind: LeasedCredential['kind'], id: string, server: ProviderServer | undefined) => ({
    ...{ kind, provider, component_credential_id: id, secret: serverKey, base_url: `${server?.url ?? ''}/v1` },
  });

  /** Milliseconds from each question to the first sound of its answer. */
  async function converse(jobId: string, model: ProviderServer | undefined): Promise<Conversed> {
    const selection = { provider, model: 'model-1', voice_id: 'voice-1' };
    const call = await calls.call(jobId, {
      publication: { first_message: 'Hello.', transcriber: selection, model: selection, voice: selection },
      components: [
        credential('stt', 'cred_stt', voice),
        credential('llm', `bound_of_${model === first ? 'stalling' : 'steady'}`, model),
        credential('llm', 'cred_standby', second),
        credential('tts', 'cred_tts', voice),
      ],
    });
    const waits: number[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      await call.listens(turn);
      const before = call.heardAt.length;
      const asked = performance.now();
      call.client.say({ type: 'text', text: `Question ${turn}` });
      const heard = await eventually(() => call.heardAt[before], { timeoutMs: 20_000 });
      waits.push(heard - asked);
    }
    await call.listens(turns + 1);
    const { problems } = await call.hangUp();
    expect(call.said('agent')).toEqual(['Hello.', ...Array.from({ length: turns }, () => 'Yes.')]);
    return { waits, hedged: problems.filter(({ code }) => code === 'provider_hedged').length };
  }

  /** By how much the 99th percentile of the waits is beyond their median, and how many requests were made twice. */
  async function beyondMedian(
    name: string,
    model: ProviderServer | undefined,
  ): Promise<{ ms: number; hedged: number }> {
    const results: Conversed[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const names = Array.from({ length: callsAtOnce }, (_, n) => `job_${name}_${round}_${n}`);
      results.push(...(await Promise.all(names.map((jobId) => converse(jobId, model)))));
    }
    const waits = results.flatMap((one) => one.waits).sort((one, other) => one - other);
    expect(waits).toHaveLength(replies);
    const ms = (waits[0.99 * replies] ?? NaN) - (waits[replies / 2] ?? NaN);
    return { ms, hedged: results.reduce((sum, one) => sum + one.hedged, 0) };
  }

  it('with a second credential the 99th percentile of the wait for an answer is within 300 ms of its median', async () => {
    const differences: number[] = [];
    // Less what the machine adds to calls of a provider that never stalls, measured next to it. A busy machine may be late once or twice all the same.
    for (let trial = 0; trial < 3 && !differences.some((difference) => difference < 300); trial += 1) {
      stall();
      const stalling = await beyondMedian(`${trial}_stalling`, first);
      // Each stalled request was asked twice, or its call would have waited for the limit of the adapter.
      expect(stalling.hedged).toBeGreaterThanOrEqual((replies * stalled) / 100);
      const usual = await beyondMedian(`${trial}_steady`, steady);
      differences.push(stalling.ms - usual.ms);
    }
    expect(Math.min(...differences)).toBeLessThan(300);
  });
});
