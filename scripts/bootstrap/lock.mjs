// One bootstrap at a time in a checkout: a file that names its holder. A holder that is dead holds nothing.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let reported = false;
  while (!take(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) breakLock(file, holder);
    else {
      if (!reported) console.error(`waiting for the build of process ${holder ?? '?'} in this checkout`);
      reported = true;
      await sleep(200);
    }
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  const onSignal = () => process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, onSignal);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, onSignal);
    release();
  }
}

function take(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Moved aside before it is removed: of several waiters one succeeds, and a lock taken meanwhile by another is put back. */
function breakLock(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (holderOf(aside) === holder) rmSync(aside, { force: true });
  else renameSync(aside, file);
}
