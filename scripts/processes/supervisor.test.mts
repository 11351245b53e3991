import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './leftovers.mts';
import { StartError, type Program } from './program.mts';
import { Supervisor } from './supervisor.mts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-supervisor-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A program that listens for SIGTERM, creates a file as soon as it does, and records its end in `ends`. */
function testProgram(name: string, source = ''): Program {
  const sign = path.join(folder, name);
  const ends = path.join(folder, 'ends');
  const script = `process.on('SIGTERM', () => { fs.appendFileSync(${JSON.stringify(ends)}, '${name} '); process.exit(0); });
    ${source}; fs.writeFileSync(${JSON.stringify(`${sign}~`)}, String(process.pid));
    fs.renameSync(${JSON.stringify(`${sign}~`)}, ${JSON.stringify(sign)}); setInterval(() => {}, 1000);`;
  return {
    name,
    command: process.execPath,
    args: ['-e', script],
    env: process.env,
    mark: sign,
    stopSignal: 'SIGTERM',
    stopMs: 60_000,
    ready: async () => (existsSync(sign) ? undefined : 'no sign yet'),
  };
}

async function until(what: string, probe: () => boolean): Promise<void> {
  for (let waited = 0; !probe(); waited += 20) {
    if (waited > 120_000) assert.fail(`gave up waiting: ${what}`);
    await sleep(20);
  }
}

await test('a program that died is started again', async () => {
  const supervisor = new Supervisor();
  await supervisor.start([testProgram('phoenix')]);
  const [{ pid } = { pid: 0 }] = supervisor.running();
  rmSync(path.join(folder, 'phoenix'));
  process.kill(pid, 'SIGKILL');
  await until('a successor', () => existsSync(path.join(folder, 'phoenix')));
  assert.notEqual(Number(readFileSync(path.join(folder, 'phoenix'), 'utf8')), pid);
  await supervisor.stop();
  assert.deepEqual(supervisor.running(), []);
});

await test('the last layer is stopped first', async () => {
  const supervisor = new Supervisor();
  await supervisor.start([testProgram('first')]);
  await supervisor.start([testProgram('second')]);
  await supervisor.stop();
  assert.equal(readFileSync(path.join(folder, 'ends'), 'utf8').trim().endsWith('second first'), true);
});

const deaf = 'process.removeAllListeners("SIGTERM"); process.on("SIGTERM", () => {})';

await test('a program that does not end in its time is killed, and those after it are ended as they should', async () => {
  const supervisor = new Supervisor();
  await supervisor.start([testProgram('orderly')]);
  await supervisor.start([{ ...testProgram('deaf', deaf), stopMs: 50 }]);
  const pids = supervisor.running().map(({ pid }) => pid);
  await supervisor.stop();
  assert.deepEqual(pids.map(isAlive), [false, false]);
  assert.equal(readFileSync(path.join(folder, 'ends'), 'utf8').trim().endsWith('orderly'), true);
});

await test('a stop ends in its time, however long the programs of all layers may take', async () => {
  const supervisor = new Supervisor({ stopWithinMs: 50 });
  for (const name of ['below', 'between', 'above']) await supervisor.start([testProgram(name, deaf)]);
  const pids = supervisor.running().map(({ pid }) => pid);
  await supervisor.stop();
  assert.deepEqual(pids.map(isAlive), [false, false, false]);
});

await test('a program that ends again and again before it is ready stops the start, with its last lines', async () => {
  const supervisor = new Supervisor();
  const start = supervisor.start([testProgram('broken', 'console.error("PORT: is required"); process.exit(3)')]);
  await assert.rejects(start, (error) => error instanceof StartError && /PORT: is required/.test(error.message));
  await supervisor.stop();
});

await test('a program that cannot be executed stops the start', async () => {
  const supervisor = new Supervisor();
  await assert.rejects(
    supervisor.start([{ ...testProgram('absent'), command: path.join(folder, 'absent') }]),
    StartError,
  );
  await supervisor.stop();
});

await test('nothing outlives a supervisor that is killed', async () => {
  const scrap = path.join(folder, 'scrap');
  writeFileSync(scrap, '');
  const program = testProgram('orphan');
  const source = `import { Supervisor } from ${JSON.stringify(path.join(import.meta.dirname, 'supervisor.mts'))};
    import { existsSync } from 'node:fs';
    const supervisor = new Supervisor();
    supervisor.guard.scrap(${JSON.stringify(scrap)});
    await supervisor.start([{ ...JSON.parse(process.argv[1]), env: process.env,
      ready: async () => (existsSync(${JSON.stringify(path.join(folder, 'orphan'))}) ? undefined : 'no') }]);
    console.log('started');`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', source, JSON.stringify(program)]);
  await new Promise((resolve) => parent.stdout.once('data', resolve));
  const pid = Number(readFileSync(path.join(folder, 'orphan'), 'utf8'));
  assert.equal(isAlive(pid), true);
  parent.kill('SIGKILL');
  await until('the end of the orphan', () => !isAlive(pid));
  await until('the scrapped folder is gone', () => !existsSync(scrap));
});
