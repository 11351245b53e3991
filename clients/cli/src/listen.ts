import { randomBytes } from 'node:crypto';
import { items, webhooks, type Event, type EventType, type Parley } from '@parley/sdk';
import { Failure } from './failure.js';
import { note } from './output.js';

export interface ListenOptions {
  readonly forward: string;
  readonly secret: string | undefined;
  readonly types: readonly EventType[];
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Ends after this many events; undefined: no limit. */
  readonly count: number | undefined;
}

/** Returns the given secret, or a new one, which is printed. */
export function secretOf(given: string | undefined): string {
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  if (given === undefined) note(`signed with ${secret}`);
  return secret;
}

/** Posts an event to an address, signed like a delivery. @returns the status, or the reason why there is none */
async function post(url: string, secret: string, id: string, json: string): Promise<number | string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await webhooks.sign(id, timestamp, json, secret),
  };
  const signal = AbortSignal.timeout(15_000);
  return fetch(url, { method: 'POST', headers, body: json, redirect: 'manual', signal }).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Posts each event to a local address and prints the result. Failed deliveries are not repeated. */
export async function listen(parley: Parley, options: ListenOptions): Promise<void> {
  const secret = secretOf(options.secret);
  note(`forwarding to ${options.forward}`);
  let count = 0;
  const { after, types, signal } = options;
  for await (const { event, json } of parley.streamEvents({
    types,
    signal,
    ...(after === undefined ? {} : { after }),
  })) {
    const outcome = await post(options.forward, secret, event.id, json);
    note(`${event.type === 'unknown' ? event.event_type : event.type} ${event.id} ${outcome}`);
    count += 1;
    if (count === options.count) return;
  }
}

const hour = 3_600_000;

/** Posts the newest event of a type to a local address again. @returns the id of the event. @throws Failure if the response is not a 2xx */
export async function trigger(
  parley: Parley,
  { type, forward, secret }: { type: EventType; forward: string; secret: string | undefined },
): Promise<string> {
  const newest = await newestOf(parley, type);
  if (newest === undefined)
    throw new Failure('usage', `the log of the last 30 days contains no ${type}: place a call first`);
  const status = await post(forward, secretOf(secret), newest.id, JSON.stringify(newest));
  if (typeof status === 'string' || status < 200 || status > 299)
    throw new Failure('api', `${forward} rejected ${newest.id}: ${status}`);
  return newest.id;
}

/** The log can only be read forwards, so the newest event is searched in increasingly long periods before now. */
async function newestOf(parley: Parley, type: EventType): Promise<Event | undefined> {
  for (const back of [hour, 24 * hour, 720 * hour]) {
    const since = new Date(Date.now() - back).toISOString();
    let newest: Event | undefined;
    const log = items((after) =>
      parley.events.listEvents({ query: { types: [type], after: after ?? since, limit: 100 } }),
    );
    for await (const event of log) newest = event;
    if (newest !== undefined) return newest;
  }
  return undefined;
}
