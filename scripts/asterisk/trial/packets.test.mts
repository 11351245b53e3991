import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, lostIn, packetsOf, spurts } from './packets.mts';

const [sip, asterisk, caller] = [5_060, 20_000, 30_000];

/** A capture in the format of tcpdump. */
function recording(
  packets: readonly (readonly [seconds: number, from: number, to: number, payload: Buffer])[],
): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4);
  const records = packets.map(([seconds, from, to, payload]) => {
    const frame = Buffer.alloc(14 + 20 + 8);
    frame.writeUInt16BE(0x0800, 12);
    frame.writeUInt8(0x45, 14);
    frame.writeUInt16BE(from, 34);
    frame.writeUInt16BE(to, 36);
    const record = Buffer.alloc(16);
    record.writeUInt32LE(Math.floor(seconds));
    record.writeUInt32LE(Math.round((seconds % 1) * 1e6), 4);
    record.writeUInt32LE(frame.length + payload.length, 8);
    return Buffer.concat([record, frame, payload]);
  });
  return Buffer.concat([header, ...records]);
}

function rtp(sequence: number, type = 0, event = 0): Buffer {
  const packet = Buffer.alloc(16);
  packet.writeUInt8(0x80);
  packet.writeUInt8(type, 1);
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt8(5, 12);
  packet.writeUInt8(event, 13);
  return packet;
}

const invite = Buffer.from(`INVITE sip:1@127.0.0.1 SIP/2.0\r\n\r\nm=audio ${caller} RTP/AVP 0\r\n`);
const answer = Buffer.from(`SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\n\r\nm=audio ${asterisk} RTP/AVP 0\r\n`);

await test('a call in a recording: its answer, both directions and the ends of digits', () => {
  const call = callIn(
    packetsOf(
      recording([
        [10, 40_000, sip, invite],
        [10.25, sip, 40_000, answer],
        [10.27, asterisk, caller, rtp(65_535)],
        [10.29, asterisk, caller, rtp(0)],
        [10.29, asterisk, 31_000, rtp(7)],
        [10.3, caller, asterisk, rtp(1)],
        [10.32, caller, asterisk, rtp(2, 101)],
        [10.34, caller, asterisk, rtp(3, 101, 0x8a)],
        [10.35, caller, asterisk, rtp(4, 101, 0x8a)],
      ]),
    ),
    sip,
  );
  assert.equal(call.answeredAt, 10_250);
  assert.deepEqual(
    call.heard.map(({ sequence, payload }) => [sequence, payload.length]),
    [
      [65_535, 4],
      [0, 4],
    ],
  );
  assert.equal(lostIn(call.heard), 0);
  assert.equal(call.sent.length, 1);
  assert.deepEqual(
    call.digitEnds.map(({ at }) => at),
    [10_340],
  );
});

await test('a recording without an answered call is an error', () => {
  assert.throws(() => callIn(packetsOf(recording([[1, 40_000, sip, invite]])), sip), /no call/);
  assert.throws(() => packetsOf(Buffer.alloc(30)), /no recording/);
});

await test('packets that are missing are counted, and pauses begin a new run', () => {
  const { heard } = callIn(
    packetsOf(
      recording([
        [1, 40_000, sip, invite],
        [1, sip, 40_000, answer],
        ...[1.02, 1.04, 1.3, 1.32].map((at, n) => [at, asterisk, caller, rtp([1, 2, 5, 6][n] ?? 0)] as const),
      ]),
    ),
    sip,
  );
  assert.equal(lostIn(heard), 2);
  assert.deepEqual(
    spurts(heard).map((run) => run.length),
    [2, 2],
  );
});
