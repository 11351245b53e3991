/**
 * PostgreSQL with the extension vector, compiled to WebAssembly (PGlite), as a server on a free port of the loopback address. It has one session, which its
 * connections use one after the other. Forked by `vectorDatabase`; sends its port to the parent and ends with it.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

const startupHeader = 8;
const terminate = 'X';

async function main(): Promise<void> {
  const db = await PGlite.create({ extensions: { vector } });
  const server = createServer((socket) => serve(db, socket));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function serve(db: PGlite, socket: Socket): void {
  let buffered = Buffer.alloc(0);
  let started = false;
  let work = Promise.resolve();
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    // What the connection has left open belongs to the session, which the next connection gets.
    work = work.then(() => reset(db));
  });
  socket.on('data', (data) => {
    buffered = Buffer.concat([buffered, data]);
    for (;;) {
      const length = started ? lengthOf(buffered) : startupLengthOf(buffered);
      if (length === undefined || buffered.length < length) return;
      const message = buffered.subarray(0, length);
      buffered = buffered.subarray(length);
      const isStartup = !started;
      started = true;
      if (!isStartup && String.fromCharCode(message[0] ?? 0) === terminate) {
        socket.end();
        return;
      }
      work = work.then(async () => {
        const answer = await db.execProtocolRaw(Uint8Array.from(message));
        if (isStartup) for (const setting of settingsOf(message)) await db.exec(setting);
        socket.write(answer);
      });
      work = work.catch((error: unknown) => void socket.destroy(error as Error));
    }
  });
}

const startupLengthOf = (buffered: Buffer): number | undefined =>
  buffered.length < startupHeader ? undefined : buffered.readInt32BE(0);

const lengthOf = (buffered: Buffer): number | undefined =>
  buffered.length < 5 ? undefined : 1 + buffered.readInt32BE(1);

async function reset(db: PGlite): Promise<void> {
  await db.exec('rollback');
  await db.exec('discard all');
}

/** The settings that a client sends with its first message (`-c name=value`), which a running session would not apply. */
function settingsOf(startup: Buffer): string[] {
  const parts = startup.subarray(startupHeader).toString('utf8').split('\0');
  const options = parts[parts.indexOf('options') + 1] ?? '';
  if (!parts.includes('options')) return [];
  return [...options.matchAll(/-c (\w+)=(\S+)/g)].map(([, name = '', value = '']) => `set ${name} = '${value}'`);
}

process.once('disconnect', () => process.exit(0));
main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
