/** Permissions on the platform's NATS server: each service has only those it needs, and the customer's subscribers may only read events. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Two accounts and the users of each; the same file that the chart's examples ship. */
export const accountsFile = path.resolve(import.meta.dirname, '../../charts/parley/examples/nats-accounts.conf');

/** The services that speak to NATS, each with a user of its name. */
export const natsServices = ['auth', 'agents', 'knowledge', 'telephony', 'webhooks', 'insights'] as const;
export type NatsService = (typeof natsServices)[number];
/** The administrator's user is for people and tests; no service has it. */
export type NatsUser = NatsService | 'administrator';

const users: readonly NatsUser[] = ['administrator', ...natsServices];

export interface NatsAccounts {
  /** The lines of a server's configuration. Anyone who names no user is refused. */
  readonly text: string;
  readonly passwords: Readonly<Record<NatsUser, string>>;
}

/** Passwords are new with each start of a server: the services that use them start after it. */
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

/** The address of a server on loopback as one of its users. */
export const natsUrlOf = (user: NatsUser, passwords: NatsAccounts['passwords'], port: number): string =>
  `nats://${user}:${passwords[user]}@127.0.0.1:${port}`;

/** The subscriber's password of this data directory, made at the first start and kept in `nats.subscriber`. */
export function subscriberPassword(directory: string): string {
  const file = path.join(directory, 'nats.subscriber');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
