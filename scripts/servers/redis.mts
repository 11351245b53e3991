/** A private Redis, loopback only, with a password. It contains only rate counters, so nothing is persisted. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { writeSecretFile } from '../platform/files.mts';
import type { Program } from '../processes/program.mts';

export interface RedisOptions {
  binary: string;
  directory: string;
  port: number;
}

export function redisProgram({ binary, directory, port }: RedisOptions): { program: Program; url: string } {
  const password = randomBytes(24).toString('hex');
  mkdirSync(directory, { recursive: true });
  // In a file and not in the arguments, because every user of the machine can list those.
  const configuration = path.join(directory, 'redis.conf');
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    save: '""',
    appendonly: 'no',
    dir: JSON.stringify(directory),
    maxmemory: '64mb',
    requirepass: password,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeSecretFile(configuration, lines.join(''));
  const program: Program = {
    name: 'redis',
    command: binary,
    args: [configuration],
    cwd: directory,
    env: { PATH: process.env.PATH },
    mark: `:${port}`,
    stopSignal: 'SIGTERM',
    stopMs: 5_000,
    ready: () => answers(port, password),
  };
  return { program, url: `redis://:${password}@127.0.0.1:${port}` };
}

function answers(port: number, password: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let reply = '';
    const done = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(2_000, () => done('no answer to PING'));
    socket.once('error', (error) => done(error.message));
    socket.on('data', (data) => {
      reply += data.toString();
      if (reply === '+OK\r\n+PONG\r\n') done();
      else if (reply.startsWith('-') || reply.includes('\r\n-')) done(reply.trim());
    });
    socket.write(`AUTH ${password}\r\nPING\r\n`);
  });
}
