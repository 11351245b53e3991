import type { LeasedCredential } from '@parley/contract';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ProviderCalls, spoken, type SpokenCall } from '../provider-calls';
import { openAiServer } from './servers/openai-server';
import { faults, serverKey, type Fault, type ProviderServer } from './servers/provider-server';
import { msPerCharacter } from './servers/sound';
import { having, voice, type Subject } from './subjects';

const kinds = { transcriber: 'stt', model: 'llm', synthesizer: 'tts' } as const;
type Part = keyof typeof kinds;
const parts = Object.keys(kinds) as readonly Part[];

const greeting = 'Good morning.';
const reply = 'You said: hello there. That was all of it.';
const [greetingMs, replyMs] = [greeting.length * msPerCharacter, reply.length * msPerCharacter];
const callsAtOnce = 16;
/** Time limits of requests that stall. Others have the usual limits, which are long enough on a busy machine. */
const shortLimits = { connectMs: 400, firstMs: 400, betweenMs: 600 };

let calls: ProviderCalls;
let well: ProviderServer;
let question: Buffer;
/** URLs of the servers that stall. */
const stalling = new Set<string>();

const credential = (kind: LeasedCredential['kind'], provider: string, of: string, base_url: string) => ({
  ...{ kind, provider, component_credential_id: `${of}_${kind}_${provider}`, secret: serverKey, base_url },
});

type Heard = 'nothing' | 'the greeting' | 'a part' | 'everything';

interface Outcome {
  readonly heard: Heard;
  /** How the call ended; if it continued, the caller hung up. */
  readonly ended: string | undefined;
  /** The code of each problem, with what the provider's failure was reported as. */
  readonly problems: readonly string[];
}

interface Row {
  readonly part: Part;
  readonly subject: Subject;
  readonly fault: Fault;
  readonly fallback: boolean;
}

async function outcomeOf({ part, subject, fault, fallback }: Row, jobId: string): Promise<Outcome> {
  const server = await subject.server!().start();
  server.fail(fault);
  const address = `${server.url}${subject.path ?? ''}`;
  if (fault.startsWith('stall')) stalling.add(address);
  const { name } = subject.adapter;
  const other = name === 'openai_compatible' ? 'openai' : 'openai_compatible';
  const good = { provider: other, model: 'model-2', voice_id: 'voice-2' };
  const failing = { provider: name, model: subject.model ?? 'model-1', voice_id: 'voice-1' };
  const selected = (one: Part): object =>
    one !== part ? good : fallback ? { ...failing, fallbacks: [good] } : failing;
  const call = await calls.call(jobId, {
    publication: {
      first_message: greeting,
      transcriber: selected('transcriber'),
      model: selected('model'),
      voice: selected('synthesizer'),
    },
    components: [
      credential(kinds[part], name, jobId, address),
      ...(['stt', 'llm', 'tts'] as const).map((kind) => credential(kind, other, jobId, `${well.url}/v1`)),
    ],
    effective: { voice_polish: { model_unresponsive: { seconds: fallback ? 30 : 3 } } },
    leaseSeconds: 120,
  });
  // Without speech synthesis there is no greeting to wait for.
  if (part === 'synthesizer' && !fallback) await within(4_000, call.listens(1));
  else await call.listens(1);
  if (part === 'transcriber') await call.say(question);
  else if (call.client.closed === undefined) call.client.say({ type: 'text', text: 'hello there' });
  // Without a transcript or a voice there may be no reply to wait for.
  if (part !== 'model' && !fallback) await within(10_000, call.listens(2));
  else await call.listens(2);
  if (call.client.closed === undefined) call.client.say({ type: 'hang_up' });
  const { end, problems } = await call.ended();
  await server.stop();
  return {
    heard: heardOf(call, part),
    ended: end?.ended_reason ?? undefined,
    problems: [...new Set(problems.map(({ code, detail }) => `${code} ${reasonIn(detail)}`))],
  };
}

const reasonIn = (detail: string): string => /\((\w+)\)|attempt \d+: (\w+)$/.exec(detail)?.slice(1).find(Boolean) ?? '';

const within = (ms: number, met: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return Promise.race([met, late]).finally(() => clearTimeout(timer));
};

/** Classifies a call by the received audio. Without word times, the next voice continues a word or two later. */
function heardOf(call: SpokenCall, part: Part): Heard {
  const ms = call.heardMs();
  if (ms < 20) return 'nothing';
  if (Math.abs(ms - greetingMs) < 20) return 'the greeting';
  return Math.abs(ms - greetingMs - replyMs) < (part === 'synthesizer' ? 600 : 100) ? 'everything' : 'a part';
}

const rows = parts.flatMap((part) =>
  having(part)
    .filter(({ server }) => server !== undefined)
    .flatMap((subject) =>
      faults.flatMap((fault) => [false, true].map((fallback): Row => ({ part, subject, fault, fallback }))),
    ),
);
const outcomes = new Map<Row, Promise<Outcome>>();

beforeAll(async () => {
  calls = await ProviderCalls.start(({ baseUrl = '' }) => (stalling.has(baseUrl) ? shortLimits : {}));
  well = await openAiServer(undefined, () => reply).start();
  question = await spoken('Are you open on Saturday?');
  const waiting = rows.map((row, n) => {
    const done = Promise.withResolvers<Outcome>();
    done.promise.catch(() => undefined);
    outcomes.set(row, done.promise);
    return () => outcomeOf(row, `job_${n}`).then(done.resolve, done.reject);
  });
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  // The first call alone: it loads what all calls need, which takes long next to fifteen others on a busy machine.
  await waiting.shift()?.();
  for (let n = 0; n < callsAtOnce; n += 1) runNext().catch(() => undefined);
});
afterAll(async () => {
  await calls.stop();
  await well.stop();
  await voice.stop();
});

const names = { transcriber: 'transcriber', model: 'model', synthesizer: 'voice' } as const;

interface Expected {
  readonly heard: readonly string[];
  readonly ended: readonly string[];
}

/** Reads the expected result from the table of docs/providers.md. */
function expectedOf({ part, fault, fallback }: Pick<Row, 'part' | 'fault' | 'fallback'>): Expected | undefined {
  const values = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
  const page = readFileSync(path.join(__dirname, '../../../../docs/providers.md'), 'utf8');
  const found = page
    .split('\n')
    .map((line) => line.split('|').slice(1, -1))
    .filter(([what = '', of]) => what.trim() === names[part] && values(of).includes(fault));
  expect(found).toHaveLength(1);
  const [, , alone, ended, withOne] = found[0] ?? [];
  return fallback
    ? { heard: values(withOne), ended: ['caller_hung_up'] }
    : { heard: values(alone), ended: values(ended) };
}

const codes: Readonly<Record<Fault, string>> = {
  unauthorized: 'unauthorized',
  rate_limited: 'rate_limited',
  server_error: 'unavailable',
  socket_closed: 'disconnected',
  stall_before_first: 'stalled',
  stall_midway: 'stalled',
  garbage: 'invalid_answer',
};

it.each(
  rows.map(
    (row) =>
      [row.part, row.subject.name, row.fault, row.fallback ? 'with a fallback' : 'without a fallback', row] as const,
  ),
)(
  'a call has the result of docs/providers.md when the %s of %s fails with %s, %s',
  async (part, _name, fault, _how, row) => {
    const outcome = await outcomes.get(row);
    const expected = expectedOf(row);
    expect(expected?.heard).toContain(outcome?.heard);
    expect(expected?.ended).toContain(outcome?.ended);
    expect(outcome?.problems).toContain(`provider_failed ${codes[fault]}`);
    const attempts = outcome?.problems.includes(`component_failed ${codes[fault]}`);
    expect(attempts).toBe(part === 'model' && !row.fallback);
  },
);
