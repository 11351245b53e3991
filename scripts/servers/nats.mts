/** A private NATS server with JetStream, stored in files, loopback only. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { connect, type ConnectionOptions } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { writeSecretFile } from '../platform/files.mts';
import type { Program } from '../processes/program.mts';
import { natsAccounts, natsServices, natsUrlOf, subscriberPassword, type NatsService } from './nats-users.mts';

export interface NatsOptions {
  binary: string;
  directory: string;
  port: number;
}

export interface NatsProgram {
  readonly program: Program;
  /** The URL for the administrator. */
  readonly url: string;
  /** The URLs for the user of each service. */
  readonly serviceUrls: Readonly<Record<NatsService, string>>;
}

export function natsProgram({ binary, directory, port }: NatsOptions): NatsProgram {
  const store = path.join(directory, 'nats');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const configuration = path.join(directory, 'nats.conf');
  const { text, passwords } = natsAccounts(subscriberPassword(directory));
  const lines = [
    'host: 127.0.0.1',
    `port: ${port}`,
    'server_name: parley',
    'max_payload: 1MB',
    `jetstream { store_dir: ${JSON.stringify(store)}, max_memory_store: 64MB, max_file_store: 4GB }`,
    text,
  ];
  writeSecretFile(configuration, `${lines.join('\n')}\n`);
  const url = natsUrlOf('administrator', passwords, port);
  const serviceUrls = Object.fromEntries(
    natsServices.map((service) => [service, natsUrlOf(service, passwords, port)]),
  ) as NatsProgram['serviceUrls'];
  const program: Program = {
    name: 'nats',
    command: binary,
    args: ['-c', configuration],
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory },
    mark: configuration,
    stopSignal: 'SIGTERM',
    stopMs: 5_000,
    ready: () => natsError(url),
  };
  return { program, url, serviceUrls };
}

/** The address of a server, and the user in it if there is one, as options of the client. */
export function natsServer(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass'> {
  const [, scheme = '', login, rest = ''] = /^([a-z]+:\/\/)?(?:([^@/]*)@)?(.*)$/.exec(url) ?? [];
  if (login === undefined) return { servers: url };
  const [user = '', pass = ''] = login.split(':');
  return { servers: `${scheme}${rest}`, user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
}

/** The reason why this server cannot be used yet; undefined if it responds and has JetStream. */
export async function natsError(url: string): Promise<string | undefined> {
  try {
    const connection = await connect({ ...natsServer(url), timeout: 2_000, reconnect: false });
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
