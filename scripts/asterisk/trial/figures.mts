/** The measurements of one call of the trial, from the recordings and packets of its caller. */
import { percentile } from '../../../bench/media/percentiles.mts';
import type { Conversation } from './conversation.mts';
import type { MediaCall } from './media-server.mts';
import { lostIn, spurts, type CallPackets } from './packets.mts';
import type { Sound } from './sound.mts';
import { above4kHz, find, pieces } from './waveform.mts';

export interface TriedCall {
  media: MediaCall;
  conversation: Conversation;
  packets: CallPackets;
  /** What the media server has said, at the sample rate of the call. */
  utterance: Sound;
  /** The same in the encoding that was sent to Asterisk. */
  encoded: Buffer;
  /** What the caller has said. */
  callersUtterance: Sound;
  /** What the caller has heard, from its recording. */
  heardByCaller: Sound;
  /** What the caller has sent, from its first packet on. */
  sentByCaller: Sound;
  /** What the media server has received. */
  heardByMediaServer: Sound;
  asteriskCpu: number;
  asteriskMegabytes: number;
  digit: string;
}

/** Times are in milliseconds, levels in dB. */
export interface Figures {
  /** Whether the call has 16 kHz. */
  isWide: boolean;
  format: string;
  frameBytes: number;
  answerToFirstPacket: number;
  sendToFirstPacket: number;
  correlation: number;
  worstPiece: number;
  shift: number;
  level: number;
  above4kHz: number;
  above4kHzSaid: number;
  packetGapMedian: number;
  packetGap99: number;
  packetGapLongest: number;
  packetsLost: number;
  spurts: number;
  packetsOfUtterance: number;
  packetsExpected: number;
  packetsIdentical: number;
  idlePause: number;
  markAfterLastPacket: number;
  flushToLastPacket: number;
  heardOfCut: number;
  untilFlush: number;
  cutMarkCame: boolean;
  emptyMarkAfterFlush: number;
  digit: string;
  digitHeard: string;
  digits: number;
  digitLatency: number;
  inCorrelation: number;
  inWorstPiece: number;
  inLevel: number;
  inAbove4kHz: number;
  inFrameGapMedian: number;
  inFrameGap99: number;
  inDelayMedian: number;
  inDelay99: number;
  asteriskCpu: number;
  asteriskMegabytes: number;
}

export function figuresOf(tried: TriedCall): Figures {
  return { ...asHeardByCaller(tried), ...control(tried), ...asHeardByMediaServer(tried) };
}

function asHeardByCaller({ media, conversation, packets, utterance, encoded, heardByCaller }: TriedCall) {
  const runs = spurts(packets.heard);
  const [said = [], cut = []] = runs;
  const gaps = runs.flatMap((run) => gapsOf(run.map(({ at }) => at)));
  const match = find(utterance, heardByCaller);
  const worst = pieces(utterance, heardByCaller, match.offset);
  const heard = part(heardByCaller, match.offset, utterance.samples.length);
  const lastOfSaid = said.at(-1)?.at ?? NaN;
  return {
    isWide: utterance.rate === 16_000,
    format: media.format,
    frameBytes: media.frameBytes,
    answerToFirstPacket: (said[0]?.at ?? NaN) - packets.answeredAt,
    sendToFirstPacket: (said[0]?.at ?? NaN) - conversation.saidAt,
    correlation: match.correlation,
    worstPiece: worst.correlation,
    shift: worst.shiftMs,
    level: match.levelDb,
    above4kHz: above4kHz(heard),
    above4kHzSaid: above4kHz(utterance),
    packetGapMedian: percentile(gaps, 0.5),
    packetGap99: percentile(gaps, 0.99),
    packetGapLongest: percentile(gaps, 1),
    packetsLost: lostIn(packets.heard),
    spurts: runs.length,
    packetsOfUtterance: said.length,
    packetsExpected: encoded.length / media.frameBytes,
    packetsIdentical: said.filter(({ payload }, index) => payload.equals(frameOf(encoded, index, media.frameBytes)))
      .length,
    idlePause: (cut[0]?.at ?? NaN) - lastOfSaid,
    markAfterLastPacket: (conversation.saidMark ?? NaN) - lastOfSaid,
    flushToLastPacket: (cut.at(-1)?.at ?? NaN) - conversation.flushedAt,
    heardOfCut: cut.length * 20,
    untilFlush: conversation.flushedAt - conversation.repeatedAt,
  };
}

function control({ media, conversation, packets, digit, asteriskCpu, asteriskMegabytes }: TriedCall) {
  return {
    cutMarkCame: conversation.cutMark !== undefined,
    emptyMarkAfterFlush: (conversation.emptyMark ?? NaN) - conversation.flushedAt,
    digit,
    digitHeard: conversation.digit?.digit ?? '',
    digits: media.events.filter(({ event }) => event === 'DTMF_END').length,
    digitLatency: (conversation.digit?.at ?? NaN) - (packets.digitEnds[0]?.at ?? NaN),
    asteriskCpu,
    asteriskMegabytes,
  };
}

function asHeardByMediaServer({ media, packets, callersUtterance, sentByCaller, heardByMediaServer }: TriedCall) {
  const match = find(callersUtterance, heardByMediaServer);
  const heard = part(heardByMediaServer, match.offset, callersUtterance.samples.length);
  const gaps = gapsOf(media.frames.map(({ at }) => at));
  // Assigns packets to received frames: the position of the caller's words in the sent and in the received audio gives the offset.
  const samplesOfFrame = heardByMediaServer.rate / 50;
  const sent = find(callersUtterance, sentByCaller);
  const earlier = Math.round((sent.offset - match.offset) / samplesOfFrame);
  const first = Math.ceil(match.offset / samplesOfFrame);
  const last = Math.floor((match.offset + callersUtterance.samples.length) / samplesOfFrame);
  const delays = media.frames.slice(first, last).flatMap(({ at }, index) => {
    const packet = packets.sent[first + index + earlier];
    return packet ? [at - packet.at] : [];
  });
  return {
    inCorrelation: match.correlation,
    inWorstPiece: pieces(callersUtterance, heardByMediaServer, match.offset).correlation,
    inLevel: match.levelDb,
    inAbove4kHz: above4kHz(heard),
    inFrameGapMedian: percentile(gaps, 0.5),
    inFrameGap99: percentile(gaps, 0.99),
    inDelayMedian: percentile(delays, 0.5),
    inDelay99: percentile(delays, 0.99),
  };
}

function part({ rate, samples }: Sound, offset: number, length: number): Sound {
  return { rate, samples: samples.subarray(offset, offset + length) };
}

function frameOf(encoded: Buffer, index: number, bytes: number): Buffer {
  return encoded.subarray(index * bytes, (index + 1) * bytes);
}

function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}
