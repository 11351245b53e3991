/** Permissions on the platform's NATS server: each service has only those that it needs, and customers' subscribers can only read events. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file with two accounts and their users. It is also part of the chart's examples. */
export const accountsFile = path.resolve(import.meta.dirname, '../../charts/parley/examples/nats-accounts.conf');

/** The services that use NATS. Each has a user with the same name. */
export const natsServices = ['auth', 'agents', 'knowledge', 'telephony', 'webhooks', 'insights'] as const;
export type NatsService = (typeof natsServices)[number];
/** The user `administrator` is for people and tests; no service uses it. */
export type NatsUser = NatsService | 'administrator';

const users: readonly NatsUser[] = ['administrator', ...natsServices];

export interface NatsAccounts {
  /** The lines for a server's configuration. Connections without a user are refused. */
  readonly text: string;
  readonly passwords: Readonly<Record<NatsUser, string>>;
}

/** Creates new passwords. This is done at each start of a server, because the services start after it. */
export function natsAccounts(subscriberPassword: string): NatsAccounts {
  const passwords = Object.fromEntries(
    users.map((user) => [user, randomBytes(24).toString('hex')]),
  ) as NatsAccounts['passwords'];
  let text = readFileSync(accountsFile, 'utf8').replace('$SUBSCRIBER_PASSWORD', JSON.stringify(subscriberPassword));
  for (const user of users) {
    text = text.replace(`$${user.toUpperCase()}_PASSWORD`, JSON.stringify(passwords[user]));
  }
  return { text, passwords };
}

/** The address of a server on loopback, with one of its users. */
export const natsUrlOf = (user: NatsUser, passwords: NatsAccounts['passwords'], port: number): string =>
  `nats://${user}:${passwords[user]}@127.0.0.1:${port}`;

/** The subscriber's password for this data directory: created at the first start and stored in `nats.subscriber`. */
export function subscriberPassword(directory: string): string {
  const file = path.join(directory, 'nats.subscriber');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
