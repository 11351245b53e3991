import { randomBytes } from 'node:crypto';
import { webhooks, type EventType, type Parley } from '@parley/sdk';
import { note } from './output.js';

export interface ListenOptions {
  readonly forward: string;
  readonly secret: string | undefined;
  readonly types: readonly EventType[];
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Ends after so many. */
  readonly count: number | undefined;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Posts each event to a local address, signed as a delivery is. One that is not taken is said, and not repeated. */
export async function listen(parley: Parley, options: ListenOptions): Promise<void> {
  const secret = options.secret ?? newSecret();
  if (options.secret === undefined) note(`signed with ${secret}`);
  note(`forwarding to ${options.forward}`);
  let count = 0;
  const { after, types, signal } = options;
  for await (const { event, json } of parley.streamEvents({
    types,
    signal,
    ...(after === undefined ? {} : { after }),
  })) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await webhooks.sign(event.id, timestamp, json, secret),
    };
    const outcome = await fetch(options.forward, {
      method: 'POST',
      headers,
      body: json,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    }).then(
      ({ status }) => String(status),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    note(`${event.type === 'unknown' ? event.event_type : event.type} ${event.id} ${outcome}`);
    count += 1;
    if (count === options.count) return;
  }
}
