/** A private NATS server with JetStream on a file store, loopback only. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Program } from '../processes/program.mts';
import { natsUsers, subscriberPassword } from './nats-users.mts';

export interface NatsOptions {
  binary: string;
  directory: string;
  port: number;
}

export function natsProgram({ binary, directory, port }: NatsOptions): { program: Program; url: string } {
  const store = path.join(directory, 'nats');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const configuration = path.join(directory, 'nats.conf');
  const lines = [
    'host: 127.0.0.1',
    `port: ${port}`,
    'server_name: parley',
    'max_payload: 1MB',
    `jetstream { store_dir: ${JSON.stringify(store)}, max_memory_store: 64MB, max_file_store: 4GB }`,
    ...natsUsers(subscriberPassword(directory)),
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
  const url = `nats://127.0.0.1:${port}`;
  const program: Program = {
    name: 'nats',
    command: binary,
    args: ['-c', configuration],
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory },
    mark: configuration,
    stopSignal: 'SIGTERM',
    stopMs: 5_000,
    ready: () => natsFault(url),
  };
  return { program, url };
}

/** Why this server is of no use yet; undefined when it answers and has JetStream. */
export async function natsFault(url: string): Promise<string | undefined> {
  try {
    const connection = await connect({ servers: url, timeout: 2_000, reconnect: false });
    try {
      await jetstreamManager(connection);
      return undefined;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
