import type { ProviderError, ProviderErrorCode } from '@parley/providers';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { collected, listening, replyOf, socketsGone, tone, until } from './observing';
import { faults, retryAfterSeconds, serverKey, type Fault, type ProviderServer } from './servers/provider-server';
import { accountOf, having, synthesis, transcription, voice, type Subject } from './subjects';

/** The code that each kind of failure is reported as, for all providers. */
const codes: Readonly<Record<Fault, ProviderErrorCode>> = {
  unauthorized: 'unauthorized',
  rate_limited: 'rate_limited',
  server_error: 'unavailable',
  socket_closed: 'disconnected',
  stall_before_first: 'stalled',
  stall_midway: 'stalled',
  garbage: 'invalid_answer',
};

it('docs/providers.md lists each kind of failure with its code', () => {
  const page = readFileSync(path.join(__dirname, '../../../../docs/providers.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)`.*?\| `(\w+)` +\|/gm)].map(([, fault, code]) => [fault, code]);
  expect(rows).toEqual(Object.entries(codes));
});

const limits = { connectMs: 600, firstMs: 600, betweenMs: 600 };

type Part = 'transcriber' | 'model' | 'synthesizer';

/** The failure of one request; everything before it is read. */
const failureOf: Readonly<
  Record<Part, (subject: Subject, server: ProviderServer) => Promise<ProviderError | undefined>>
> = {
  async model(subject, server) {
    const { events, error } = await collected(replyOf(subject.adapter.model!(accountOf(subject, server, limits)), {}));
    expect(events.map(({ type }) => type)).not.toContain('done');
    return error;
  },
  async synthesizer(subject, server) {
    const adapter = subject.adapter.synthesizer!(accountOf(subject, server, limits));
    const stream = adapter.open(synthesis(), new AbortController().signal);
    stream.write('Good day, this is the front desk. ');
    stream.write('How may I help you?');
    stream.end();
    const { events, error } = await collected(stream.events);
    expect(events.map(({ type }) => type)).not.toContain('done');
    return error;
  },
  async transcriber(subject, server) {
    const adapter = subject.adapter.transcriber!(accountOf(subject, server, limits), subject.model);
    const { stream, say, failure, events } = listening(adapter, transcription({ model: subject.model }));
    say(tone(1_000, 16_000));
    if (adapter.capabilities.partials) await until(() => events.length > 0, 'words or a failure');
    stream.finalize();
    await until(() => failure() !== undefined, 'the failure');
    expect(events.at(-1)?.type).toBe('failed');
    expect(events.filter(({ type }) => type === 'final')).toEqual([]);
    return failure();
  },
};

const rows = (['model', 'synthesizer', 'transcriber'] as const).flatMap((part) =>
  having(part)
    .filter(({ server }) => server !== undefined)
    .flatMap((subject) => faults.map((fault) => [part, subject.name, fault, codes[fault], subject] as const)),
);

const servers = new Map<Subject, ProviderServer>();
beforeAll(async () => {
  for (const [, , , , subject] of rows)
    if (!servers.has(subject)) servers.set(subject, await subject.server!().start());
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  await voice.stop();
});

it.each(rows)('%s of %s reports the failure %s as %s', async (part, _, fault, code, subject) => {
  const server = servers.get(subject)!;
  server.fail(fault);
  const error = await failureOf[part](subject, server);
  expect(error?.code).toBe(code);
  expect(error?.retryAfterMs).toBe(fault === 'rate_limited' ? retryAfterSeconds * 1000 : undefined);
  expect(error?.provider).toBe(subject.adapter.name);
  expect(`${error?.message} ${error?.stack} ${JSON.stringify(error)}`).not.toContain(serverKey);
  // Adapters do not retry.
  expect(server.requests).toBe(1);
  // A connection with a complete answer may be reused.
  if (fault === 'socket_closed' || fault.startsWith('stall')) await socketsGone(server);
});

it.each(
  (['model', 'synthesizer', 'transcriber'] as const).flatMap((part) =>
    having(part)
      .filter(({ server }) => server !== undefined)
      .map((subject) => [part, subject.name, subject] as const),
  ),
)('%s of %s reports a server that does not listen as unavailable', async (part, _, subject) => {
  const server = await subject.server!().start();
  const address = server.url;
  await server.stop();
  const gone = Object.defineProperty(Object.create(server) as ProviderServer, 'url', { value: address });
  expect((await failureOf[part](subject, gone))?.code).toBe('unavailable');
});
