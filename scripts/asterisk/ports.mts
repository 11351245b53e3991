/** Ports of the loopback for one Asterisk: one for SIP, one for HTTP, and a row of pairs for RTP and RTCP. */
import { createSocket } from 'node:dgram';
import { freePort } from '../processes/free-ports.mts';

export interface AsteriskPorts {
  sip: number;
  http: number;
  /** First and last of the row; the first is even. */
  rtp: { first: number; last: number };
}

/** Two ports for each call. */
const rtpPorts = 48;

export async function freeAsteriskPorts(given: Partial<AsteriskPorts> = {}): Promise<AsteriskPorts> {
  const rtp = given.rtp ?? (await freeRow(rtpPorts));
  return { sip: given.sip ?? (await freeUdpPort()), http: given.http ?? (await freePort()), rtp };
}

/** A port that is free for UDP, handed out like those for TCP so that no other process of ours gets it. */
export async function freeUdpPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isUdpPortFree(port)) return port;
  }
}

async function freeRow(length: number): Promise<{ first: number; last: number }> {
  let row: number[] = [];
  while (row.length < length) {
    const port = await freeUdpPort();
    if (row.length > 0 && port !== (row.at(-1) ?? 0) + 1) row = [];
    if (row.length > 0 || port % 2 === 0) row.push(port);
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
