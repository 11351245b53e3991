/** Who may do what on the platform's NATS server: its services everything, subscribers of yours read events and nothing else. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The durable consumers on EVENTS that are the platform's own. */
const platformDurables = ['webhooks'];

/** What a subscriber asks JetStream: about the stream, and for a consumer of its own. */
const readingRequests = [
  '$JS.API.INFO',
  '$JS.API.STREAM.INFO.EVENTS',
  '$JS.API.STREAM.NAMES',
  '$JS.API.CONSUMER.CREATE.EVENTS.>',
  '$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.*',
  '$JS.API.CONSUMER.INFO.EVENTS.*',
  '$JS.API.CONSUMER.MSG.NEXT.EVENTS.*',
  '$JS.ACK.EVENTS.>',
];

/** Nobody else takes, acknowledges or changes what the platform's own consumers are to get. */
const ofPlatform = platformDurables.flatMap((durable) => [
  `$JS.API.CONSUMER.CREATE.EVENTS.${durable}`,
  `$JS.API.CONSUMER.CREATE.EVENTS.${durable}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${durable}`,
  `$JS.ACK.EVENTS.${durable}.>`,
]);

const list = (subjects: readonly string[]): string => `[${subjects.map((one) => JSON.stringify(one)).join(', ')}]`;

/** The lines of a server's configuration; whoever names no user is the platform, which a server on loopback may allow. */
export function natsUsers(subscriberPassword: string): string[] {
  return [
    'no_auth_user: platform',
    'authorization {',
    '  users: [',
    `    { user: platform, password: ${JSON.stringify(randomBytes(24).toString('hex'))} }`,
    `    { user: subscriber, password: ${JSON.stringify(subscriberPassword)}, permissions: {`,
    `      publish: { allow: ${list(readingRequests)}, deny: ${list(ofPlatform)} }`,
    '      subscribe: { allow: ["_INBOX.>", "events.v1.>"] }',
    '    } }',
    '  ]',
    '}',
  ];
}

/** The subscriber's password of this data directory, made at the first start and kept in `nats.subscriber`. */
export function subscriberPassword(directory: string): string {
  const file = path.join(directory, 'nats.subscriber');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
