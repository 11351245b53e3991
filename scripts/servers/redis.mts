/** A private Redis, loopback only. It holds rate counters alone, so nothing of it is kept. */
import { connect } from 'node:net';
import type { Program } from '../processes/program.mts';

export interface RedisOptions {
  binary: string;
  directory: string;
  port: number;
}

export function redisProgram({ binary, directory, port }: RedisOptions): { program: Program; url: string } {
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: directory, maxmemory: '64mb' };
  const program: Program = {
    name: 'redis',
    command: binary,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    cwd: directory,
    env: { PATH: process.env.PATH },
    mark: `:${port}`,
    stopSignal: 'SIGTERM',
    stopMs: 5_000,
    ready: () => answers(port),
  };
  return { program, url: `redis://127.0.0.1:${port}` };
}

function answers(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(2_000, () => done('no answer to PING'));
    socket.once('error', (error) => done(error.message));
    socket.once('data', (data) => done(data.toString().startsWith('+PONG') ? undefined : data.toString()));
    socket.write('PING\r\n');
  });
}
