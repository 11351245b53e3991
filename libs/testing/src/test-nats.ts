import { randomBytes } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { natsServers } from '@parley/runtime';

export interface TestNats {
  /** The server's URL with the administrator's login. */
  url: string;
  connection: NatsConnection;
  /** Unique for each call, and valid in names of streams, consumers and subjects, so that tests that share a server do not conflict. */
  prefix: string;
  close(): Promise<void>;
}

/** The server's URL with the login of a service's own user, or with that of the administrator if the given server has no other users. */
export function testNatsUrl(service: string): string {
  const urls = JSON.parse(process.env['TEST_NATS_URLS'] ?? '{}') as Readonly<Record<string, string>>;
  const url = urls[service] ?? process.env['TEST_NATS_URL'];
  if (url === undefined) throw new Error('TEST_NATS_URL is not set: run node scripts/test.mts integration');
  return url;
}

/** The JetStream server of TEST_NATS_URL. */
export async function testNats(): Promise<TestNats> {
  const url = process.env['TEST_NATS_URL'];
  if (url === undefined) throw new Error('TEST_NATS_URL is not set: run node scripts/test.mts integration');
  const connection = await connect({ ...natsServers(url), maxReconnectAttempts: -1 });
  const prefix = `t${randomBytes(5).toString('hex')}`;
  return { url, connection, prefix, close: () => connection.close() };
}
