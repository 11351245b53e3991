/**
 * A server that speaks Twilio's Calls resource and media streams and is strict about both: node server.mts '{"accountSid", "authToken"}'. It is not Twilio.
 * Prints the address of its API. What breaks a rule is listed under /control/violations; tests expect none.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Call, type Account, type Placed, type Scenario } from './call.mts';
import { readTwiml } from './twiml.mts';

const account = JSON.parse(process.argv[2] ?? '{}') as Account;
const base = `/2010-04-01/Accounts/${account.accountSid}/`;
const calls = new Map<string, Call>();
const markups = new Map<string, string>();
const scenarios = new Map<string, Scenario>();
const violations: string[] = [];
const violation = (what: string): void => void violations.push(what);
process.on('uncaughtException', (error) => violation(error.message));
process.on('unhandledRejection', (error) => violation(String(error)));
process.stdin.on('end', () => process.exit(0)).resume();

const e164 = /^\+[1-9]\d{6,14}$/;
const whole = (text: string, least: number, most: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
/** Parameters of an order, with what they may be. */
const orderRules: Readonly<Record<string, (value: string) => boolean>> = {
  To: (value) => e164.test(value) || /^sip:[^@\s]+@[^@\s]+$/.test(value),
  From: (value) => e164.test(value),
  Twiml: (value) => value.length <= 4_000 && readTwiml(value).length > 0,
  Timeout: (value) => whole(value, 1, 600),
  TimeLimit: (value) => whole(value, 1, 14_400),
  StatusCallback: (value) => URL.canParse(value),
  StatusCallbackMethod: (value) => value === 'POST',
  StatusCallbackEvent: (value) => ['initiated', 'ringing', 'answered', 'completed'].includes(value),
};
const updateRules: typeof orderRules = {
  Status: (value) => value === 'completed' || value === 'canceled',
  Twiml: (value) => readTwiml(value).length > 0,
};
const listRules: typeof orderRules = {
  To: (value) => e164.test(value),
  From: (value) => e164.test(value),
  PageSize: (value) => whole(value, 1, 1_000),
};

class Refused extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws Refused for a parameter that is unknown or wrong, which no client should send */
function checked(given: URLSearchParams, rules: typeof orderRules, required: readonly string[] = []): URLSearchParams {
  const wrong = [...given].filter(([name, value]) => rules[name]?.(value) !== true).map(([name]) => name);
  const missing = required.filter((name) => !given.has(name));
  if (wrong.length + missing.length === 0) return given;
  violation(`parameters: ${[...wrong, ...missing].join(', ')}`);
  throw new Refused(400, 21_200, `invalid parameters: ${[...wrong, ...missing].join(', ')}`);
}

const shown = ({ sid, status, createdAt, placed: { to, from, direction } }: Call) => {
  const created = createdAt.toUTCString().replace('GMT', '+0000');
  return { sid, status, to, from, direction, account_sid: account.accountSid, date_created: created };
};

async function order(form: URLSearchParams, response: ServerResponse): Promise<void> {
  checked(form, orderRules, ['To', 'From', 'Twiml']);
  const to = form.get('To') ?? '';
  const scenario = scenarios.get(to) ?? {};
  const { api = 'places' } = scenario;
  if (api === 'drops before') return void response.destroy();
  if (typeof api === 'object') return reply(response, api.status, api.body);
  const statusUrl = form.get('StatusCallback') ?? undefined;
  const events = new Set(form.getAll('StatusCallbackEvent'));
  const twiml = form.get('Twiml') ?? '';
  const call = place({ to, from: form.get('From') ?? '', direction: 'outbound-api', statusUrl, events, scenario });
  markups.set(call.sid, twiml);
  if (api === 'drops after') response.destroy();
  else reply(response, 201, shown(call));
  await call.ring(twiml);
}

function place(placed: Placed): Call {
  const call = new Call(placed, account, violation);
  calls.set(call.sid, call);
  return call;
}

async function api(request: IncomingMessage, target: URL, body: string, response: ServerResponse): Promise<void> {
  const wanted = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`;
  if (request.headers.authorization !== wanted) throw new Refused(401, 20_003, 'Authenticate');
  const form = new URLSearchParams(body);
  const path = target.pathname.slice(base.length);
  if (path === 'Calls.json' && request.method === 'POST') return order(form, response);
  if (path === 'Calls.json') {
    const query = checked(target.searchParams, listRules);
    const among = [...calls.values()].filter(({ placed }) => placed.to === query.get('To'));
    const listed = among.filter(({ placed }) => placed.from === query.get('From')).map(shown);
    return reply(response, 200, { calls: listed.reverse(), page: 0, page_size: 50 });
  }
  const call = calls.get(/^Calls\/(CA[0-9a-f]{32})\.json$/.exec(path)?.[1] ?? '');
  if (call === undefined) throw new Refused(404, 20_404, 'The requested resource was not found');
  if (request.method === 'POST') {
    checked(form, updateRules);
    if (call.isOver) throw new Refused(400, 21_220, 'Call is not in-progress. Cannot redirect.');
    if (call.refusesUpdate()) throw new Refused(429, 20_429, 'Too Many Requests');
    const twiml = form.get('Twiml');
    if (twiml !== null) call.replace(readTwiml(twiml)).catch((error: unknown) => violation(String(error)));
    else await call.end(call.status === 'in-progress' ? 'completed' : 'canceled');
  }
  reply(response, 200, shown(call));
}

interface Command {
  readonly to: string;
  readonly from: string;
  readonly scenario: Scenario;
  readonly voiceUrl: string;
  readonly statusUrl?: string;
  readonly sid: string;
}

/** What a test has people do. */
async function control(path: string, command: Command, response: ServerResponse): Promise<void> {
  const { to, from, scenario, voiceUrl, statusUrl } = command;
  if (path === 'violations') return reply(response, 200, violations);
  if (path === 'calls') return reply(response, 200, [...calls.values()].map(shownToTests));
  if (path === 'scenario') scenarios.set(to, scenario);
  if (path === 'ring') {
    const call = place({ to, from, direction: 'inbound', statusUrl, events: new Set(['completed']), scenario });
    call.status = 'ringing';
    reply(response, 200, shown(call));
    await call.run(await call.fetchTwiml(voiceUrl, 'ringing'));
    return;
  }
  const call = calls.get(command.sid);
  if (path === 'sound') return reply(response, 200, soundOf(call));
  if (path === 'whole-sound') return reply(response, 200, wholeSoundOf(call));
  reply(response, 200, {});
  if (path === 'answer') await call?.answer(markups.get(call.sid) ?? '');
  if (path === 'hang-up') await call?.hangUp();
  if (path === 'stream-ended') call?.streamEnded();
}

const base64 = ({ buffer, byteOffset, byteLength }: Int16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** What was said and heard on the last stream, as 16 bit samples at 8 kHz. */
const soundOf = (call: Call | undefined) => ({
  said: base64(call?.callee?.spoken ?? new Int16Array()),
  heard: base64(call?.callee?.heard ?? new Int16Array()),
});

/** The same of all streams of the call, with the silence between them. */
const wholeSoundOf = (call: Call | undefined) => ({
  said: base64(joined(call, (callee) => callee.spoken)),
  heard: base64(joined(call, (callee) => callee.heard)),
});

function joined(call: Call | undefined, of: (callee: Call['callees'][number]) => Int16Array): Int16Array {
  const pieces = (call?.callees ?? []).map((callee) => ({ at: callee.begunAt, samples: of(callee) }));
  const first = pieces[0]?.at ?? 0;
  const place = (at: number): number => Math.round((at - first) * 8);
  const length = Math.max(0, ...pieces.map(({ at, samples }) => place(at) + samples.length));
  const whole = new Int16Array(length);
  for (const { at, samples } of pieces) whole.set(samples, place(at));
  return whole;
}

const shownToTests = (call: Call) => {
  const { tokens, says, reports, streams, conferences } = call;
  return { ...shown(call), tokens, says, reports, streams, conferences };
};

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const target = new URL(request.url ?? '/', 'http://carrier');
  if (target.pathname.startsWith('/control/')) {
    return control(target.pathname.slice('/control/'.length), JSON.parse(body || '{}') as Command, response);
  }
  if (!target.pathname.startsWith(base)) throw new Refused(404, 20_404, 'The requested resource was not found');
  return api(request, target, body, response);
}

const server = createServer((request, response) => {
  take(request, response).catch((error: unknown) => {
    if (!(error instanceof Refused)) violation(String(error));
    if (response.headersSent || response.destroyed) return;
    const { status = 500, code = 0, message } = error as Partial<Refused>;
    reply(response, status, { status, code, message, more_info: 'https://www.twilio.com/docs/errors' });
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
