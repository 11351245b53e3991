import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, fakeClock, freePort } from '@parley/testing';
import { changingSecret, createLogger, createNats, createRedis } from '../src';

const log = createLogger({ service: 'test', level: 'silent' });

/** docs/operating.md, "Rotation", step by step: create a second user, change the file, remove the first user. */
describe('replacing users of NATS and Redis while the process runs', () => {
  let home: string;
  let server: ChildProcess | undefined;
  const clock = fakeClock();

  beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), 'parley-logins-'))));
  afterEach(async () => {
    if (server !== undefined && server.exitCode === null) {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    }
    rmSync(home, { recursive: true });
  });

  const write = (name: string, text: string): string => {
    const file = path.join(home, name);
    writeFileSync(file, text);
    return file;
  };

  /** Changes the file like an updated Secret in a pod; the next read returns the new value. */
  const give = (file: string, url: string): void => {
    writeFileSync(file, `${url}\n`);
    clock.advance(5_000);
  };

  it('NATS: reconnects as the new user, and no published message is lost', async () => {
    const port = await freePort();
    const configuration = (...users: string[]): string =>
      write(
        'nats.conf',
        `listen: "127.0.0.1:${port}"\nauthorization { users = [${users.map((user) => `{user: ${user}, password: p-${user}}`).join(', ')}] }\n`,
      );
    const urlOf = (user: string): string => `nats://${user}:p-${user}@127.0.0.1:${port}`;
    const process = spawn('nats-server', ['-c', configuration('one')], { stdio: 'ignore' });
    server = process;
    const file = write('url', urlOf('one'));
    const url = changingSecret('NATS_URL', urlOf('one'), { env: { NATS_URL_FILE: file }, clock });
    const nats = createNats({ url, name: 'test', log });
    try {
      const connection = await nats.connection();
      let received = 0;
      connection.subscribe('here', { callback: () => void (received += 1) });
      await connection.flush();
      let reconnected = 0;
      nats.onReconnect(() => (reconnected += 1));

      configuration('one', 'two');
      process.kill('SIGHUP');
      give(file, urlOf('two'));
      configuration('two');
      process.kill('SIGHUP');
      await eventually(() => (reconnected === 1 && nats.connected) || undefined);
      connection.publish('here', 'text');
      await eventually(() => received === 1 || undefined);
    } finally {
      await nats.close();
    }
  });

  it('Redis: a broken connection is reopened as the new user', async () => {
    const port = await freePort();
    const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', home], {
      stdio: 'ignore',
    });
    server = child;
    const urlOf = (user: string): string => `redis://${user}:p%40${user}@127.0.0.1:${port}`;
    const administrator = createRedis({ url: `redis://127.0.0.1:${port}`, name: 'test', log });
    const command = (...words: string[]): Promise<unknown> =>
      eventually(async () => (await administrator.run((client) => client.sendCommand(words), undefined)) ?? undefined);
    const file = write('url', urlOf('one'));
    const url = changingSecret('REDIS_URL', urlOf('one'), { env: { REDIS_URL_FILE: file }, clock });
    const redis = createRedis({ url, name: 'test', log });
    const who = (): Promise<string | undefined> =>
      eventually(
        async () =>
          (await redis.run((client) => client.sendCommand<string>(['ACL', 'WHOAMI']), undefined)) ?? undefined,
      );
    try {
      await command('ACL', 'SETUSER', 'one', 'on', '>p@one', '+@all', '~*');
      expect(await who()).toBe('one');
      await command('ACL', 'SETUSER', 'two', 'on', '>p@two', '+@all', '~*');
      give(file, urlOf('two'));
      // This also ends the sessions of the user.
      await command('ACL', 'DELUSER', 'one');
      await eventually(async () => (await who()) === 'two' || undefined);
    } finally {
      await redis.close();
      await administrator.close();
    }
  });
});
