/** Parses a packet capture (pcap) with UDP, SIP responses and RTP. */

export interface Packet {
  /** Milliseconds since 1970, with microsecond precision. */
  at: number;
  from: number;
  to: number;
  payload: Buffer;
}

export interface RtpPacket {
  at: number;
  from: number;
  type: number;
  sequence: number;
  timestamp: number;
  payload: Buffer;
}

/** The packets of one call at its caller's ports. */
export interface CallPackets {
  /** When the 200 response to the INVITE arrived at the caller. */
  answeredAt: number;
  heard: RtpPacket[];
  sent: RtpPacket[];
  /** The digits that the caller sent: for each, the first packet that marks its end. */
  digitEnds: RtpPacket[];
}

const ethernetHeader = 14;

export function packetsOf(pcap: Buffer): Packet[] {
  if (pcap.length < 24 || pcap.readUInt32LE(0) !== 0xa1b2c3d4) throw new Error('no recording of packets');
  const packets: Packet[] = [];
  for (let at = 24; at + 16 <= pcap.length;) {
    const length = pcap.readUInt32LE(at + 8);
    const frame = pcap.subarray(at + 16, at + 16 + length);
    const time = pcap.readUInt32LE(at) * 1_000 + pcap.readUInt32LE(at + 4) / 1_000;
    at += 16 + length;
    if (frame.length < length || frame.readUInt16BE(12) !== 0x0800) continue;
    const udp = frame.subarray(ethernetHeader + (frame.readUInt8(ethernetHeader) & 0x0f) * 4);
    packets.push({ at: time, from: udp.readUInt16BE(0), to: udp.readUInt16BE(2), payload: udp.subarray(8) });
  }
  return packets;
}

/** Returns the only call of a capture. @throws Error if none was answered */
export function callIn(packets: readonly Packet[], sipPort: number): CallPackets {
  const sip = packets.filter((packet) => packet.from === sipPort || packet.to === sipPort);
  const invite = sip.find(({ to, payload }) => to === sipPort && payload.toString().startsWith('INVITE '));
  const answer = sip.find(
    ({ from, payload }) => from === sipPort && /^SIP\/2\.0 200[\s\S]*CSeq: \d+ INVITE/.test(payload.toString()),
  );
  if (!invite || !answer) throw new Error('no call was answered');
  const callersPort = mediaPort(invite.payload);
  const asterisksPort = mediaPort(answer.payload);
  const heard = packets.filter(({ from, to }) => from === asterisksPort && to === callersPort).flatMap(asRtp);
  const sent = packets.filter(({ to }) => to === asterisksPort).flatMap(asRtp);
  const ends = sent.filter(({ type, payload }) => type >= 96 && ((payload[1] ?? 0) & 0x80) !== 0);
  return {
    answeredAt: answer.at,
    heard: heard.filter(({ type }) => type < 96),
    sent: sent.filter(({ type }) => type < 96),
    // The end packet is sent three times with the same timestamp, so only the first one counts.
    digitEnds: ends.filter(({ timestamp }, index) => index === 0 || ends[index - 1]?.timestamp !== timestamp),
  };
}

/** Divides packets into runs: a new one begins after a gap of ten packet intervals. */
export function spurts(packets: readonly RtpPacket[], pauseMs = 200): RtpPacket[][] {
  const runs: RtpPacket[][] = [];
  for (const packet of packets) {
    const last = runs.at(-1)?.at(-1);
    if (last && packet.at - last.at < pauseMs) runs.at(-1)?.push(packet);
    else runs.push([packet]);
  }
  return runs;
}

export function lostIn(packets: readonly RtpPacket[]): number {
  return packets.slice(1).reduce((total, { sequence }, index) => {
    const step = (sequence - (packets[index]?.sequence ?? 0) + 65_536) % 65_536;
    return total + Math.max(0, step - 1);
  }, 0);
}

function mediaPort(sip: Buffer): number {
  return Number(/^m=audio (\d+)/m.exec(sip.toString())?.[1]);
}

function asRtp({ at, from, payload }: Packet): RtpPacket[] {
  if (payload.length < 12 || payload.readUInt8(0) >> 6 !== 2) return [];
  const header = 12 + (payload.readUInt8(0) & 0x0f) * 4;
  const type = payload.readUInt8(1) & 0x7f;
  const [sequence, timestamp] = [payload.readUInt16BE(2), payload.readUInt32BE(4)];
  return [{ at, from, type, sequence, timestamp, payload: payload.subarray(header) }];
}
