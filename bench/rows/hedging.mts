/**
 * The benefit of a second credential for a provider that stalls 2 % of its requests: the time to the first delta through the engine's fallback, with one
 * credential and with two. Both accounts stall independently, by seeded random numbers. From the environment: HEDGING_REQUESTS (600). Needs a build.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import '../sources.mts';
import type * as providers from '../../libs/providers/dist/index.js';
import type * as fallback from '../../services/engine/dist/providers/fallback/index.js';
import { percentile, shown } from '../media/percentiles.mts';
import type { BenchRow, Table } from '../row.mts';

const requests = Number(process.env.HEDGING_REQUESTS ?? 600);
const atOnce = 20;
const stalled = 0.02;
/** The deviation from the median in both directions, as a share of it. */
const jitter = 0.1;
/** The adapter aborts a request after the sum of connectMs and firstMs; in calls after 20 s. */
const limits = { connectMs: 1_000, firstMs: 2_000, betweenMs: 2_000 };
const withinMs = 300;
const medians = [100, 300, 450];

/** Random numbers that are the same in every run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** One account of a provider with OpenAI's protocol: its first token is sent after a time close to the median, or never. */
class Account {
  requests = 0;
  stalls = 0;
  private readonly medianMs: number;
  private readonly draw: () => number;
  private readonly server = createServer((request, response) => {
    request.resume();
    request.on('end', () => this.answer(response));
  });

  constructor(medianMs: number, seed: number) {
    this.medianMs = medianMs;
    this.draw = draws(seed);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(response: ServerResponse): void {
    this.requests += 1;
    const stalls = this.draw() < stalled;
    const afterMs = this.medianMs * (1 + jitter * (2 * this.draw() - 1));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (stalls) return void (this.stalls += 1);
    setTimeout(() => {
      response.write(chunk({ content: 'Yes.' }, null));
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    }, afterMs);
  }
}

interface Measured {
  readonly waits: readonly number[];
  readonly failed: number;
  readonly asked: number;
  readonly stalls: number;
}

async function measured(medianMs: number, credentials: 1 | 2): Promise<Measured> {
  const load = createRequire(import.meta.resolve('../../services/engine/src/main.ts'));
  const { Breakers, modelWithFallback } = load('./providers/fallback/index.ts') as typeof fallback;
  const { openaiCompatible } = load('@parley/providers') as typeof providers;
  const accounts = [7, 11].slice(0, credentials).map((seed) => new Account(medianMs, seed));
  try {
    const candidates = [];
    for (const [n, account] of accounts.entries()) {
      const model = openaiCompatible.model?.({ apiKey: 'key', baseUrl: await account.start(), limits });
      if (model === undefined) throw new Error('the adapter has no model');
      candidates.push({
        provider: 'openai_compatible',
        credentialId: `cred_${n}`,
        component: { model, name: 'm', options: {} },
      });
    }
    const breakers = new Breakers(() => performance.now());
    const model = modelWithFallback(candidates, { kind: 'model', breakers, onIncident: () => undefined });
    const waits: number[] = [];
    let failed = 0;
    let left = requests;
    const ask = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const began = performance.now();
        try {
          const wanted = { model: 'm', messages: [{ role: 'user' as const, text: 'Hello' }], tools: [], options: {} };
          for await (const { type } of model.generate(wanted, new AbortController().signal))
            if (type === 'delta') break;
        } catch {
          failed += 1;
        }
        waits.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
    const sum = (of: 'requests' | 'stalls'): number => accounts.reduce((total, one) => total + one[of], 0);
    return { waits, failed, asked: sum('requests'), stalls: sum('stalls') };
  } finally {
    for (const account of accounts) account.stop();
  }
}

async function run(): Promise<Table[]> {
  const rows: object[] = [];
  for (const medianMs of medians)
    for (const credentials of [1, 2] as const) {
      const { waits, failed, asked, stalls } = await measured(medianMs, credentials);
      const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
      if (credentials === 2 && p99 - p50 >= withinMs) process.exitCode = 1;
      rows.push({
        'provider, p50 ms': medianMs,
        credentials,
        replies: waits.length,
        'p50 ms': shown(p50, 0),
        'p99 ms': shown(p99, 0),
        [`p99 less p50 (two: under ${withinMs})`]: shown(p99 - p50, 0),
        'most ms': shown(Math.max(...waits), 0),
        'without a reply': failed,
        'stalled requests': stalls,
        'requests a reply': shown(asked / waits.length, 2),
      });
    }
  return [{ title: 'time to the first word where 2 % of the requests stall', rows }];
}

export const bench: BenchRow = { title: 'hedging', run };
