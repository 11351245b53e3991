/** Who may do what on the platform's NATS server: its services everything, subscribers of yours read events and nothing else. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Two accounts; the same file that the chart's examples ship. */
export const accountsFile = path.resolve(import.meta.dirname, '../../charts/parley/examples/nats-accounts.conf');

/** The lines of a server's configuration; whoever names no user is the platform, which a server on loopback may allow. */
export function natsUsers(subscriberPassword: string): string[] {
  const accounts = readFileSync(accountsFile, 'utf8')
    .replace('$PLATFORM_PASSWORD', JSON.stringify(randomBytes(24).toString('hex')))
    .replace('$SUBSCRIBER_PASSWORD', JSON.stringify(subscriberPassword));
  return ['no_auth_user: platform', accounts];
}

/** The subscriber's password of this data directory, made at the first start and kept in `nats.subscriber`. */
export function subscriberPassword(directory: string): string {
  const file = path.join(directory, 'nats.subscriber');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
