/** Loopback ports for one Asterisk: one for SIP, one for HTTP, and a range of port pairs for RTP and RTCP. */
import { createSocket } from 'node:dgram';
import { freePort } from '../processes/free-ports.mts';

export interface AsteriskPorts {
  sip: number;
  http: number;
  /** The first and last port of the range; the first is even. */
  rtp: { first: number; last: number };
}

/** Two ports per call. */
const rtpPorts = 48;

export async function freeAsteriskPorts(given: Partial<AsteriskPorts> = {}): Promise<AsteriskPorts> {
  const rtp = given.rtp ?? (await freeRow(rtpPorts));
  return { sip: given.sip ?? (await freeUdpPort()), http: given.http ?? (await freePort()), rtp };
}

/** Returns a free UDP port. It is allocated like a TCP port, so that no other process of the tests gets the same number. */
export async function freeUdpPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isUdpPortFree(port)) return port;
  }
}

let rows: Promise<unknown> = Promise.resolve();

/**
 * Returns a range of consecutive ports whose first is a multiple of a number. Searches run one at a time, because concurrent ones would take each other's
 * ports.
 */
export function freeRow(length: number, multipleOf = 2): Promise<{ first: number; last: number }> {
  const row = rows.then(() => findRow(length, multipleOf));
  rows = row.catch(() => undefined);
  return row;
}

async function findRow(length: number, multipleOf: number): Promise<{ first: number; last: number }> {
  let row: number[] = [];
  while (row.length < length) {
    const port = await freeUdpPort();
    if (port !== (row.at(-1) ?? 0) + 1) row = [];
    if (row.length > 0 || port % multipleOf === 0) row.push(port);
  }
  return { first: row[0] ?? 0, last: row.at(-1) ?? 0 };
}

function isUdpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
