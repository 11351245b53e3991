import { randomBytes } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';

export interface TestNats {
  url: string;
  connection: NatsConnection;
  /** Unique to this call, fit for stream, consumer and subject names: tests that share a server do not meet. */
  prefix: string;
  close(): Promise<void>;
}

/** The JetStream server of TEST_NATS_URL. */
export async function testNats(): Promise<TestNats> {
  const url = process.env['TEST_NATS_URL'];
  if (url === undefined) throw new Error('TEST_NATS_URL is not set: run node scripts/test.mts integration');
  const connection = await connect({ servers: url, maxReconnectAttempts: -1 });
  const prefix = `t${randomBytes(5).toString('hex')}`;
  return { url, connection, prefix, close: () => connection.close() };
}
