/** The fixed sequence of what the media server does in a call: an utterance, the same one interrupted, silence, then it waits for a digit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaCall } from './media-server.mts';

/** Milliseconds without audio between the two utterances, during which Asterisk sends no RTP. */
const idleMs = 500;
const untilFlushMs = 1_000;

export interface Conversation {
  saidAt: number;
  saidMark?: number;
  repeatedAt: number;
  flushedAt: number;
  /** When the mark after the interrupted utterance returned; undefined if it never did. */
  cutMark?: number;
  /** When a mark that was sent immediately after the flush returned. */
  emptyMark?: number;
  digit?: { digit: string; at: number };
}

/** @param utterance encoded in the format of the call */
export async function converse(call: MediaCall, utterance: Buffer, onReady: () => void): Promise<Conversation> {
  const saidAt = call.send(utterance);
  call.command('MARK_MEDIA', { correlation_id: 'said' });
  const said = await call.event('MEDIA_MARK_PROCESSED', 'said');
  await sleep(idleMs);
  const repeatedAt = call.send(utterance);
  call.command('MARK_MEDIA', { correlation_id: 'cut' });
  await sleep(untilFlushMs);
  const flushedAt = call.command('FLUSH_MEDIA');
  call.command('MARK_MEDIA', { correlation_id: 'empty' });
  const empty = await call.event('MEDIA_MARK_PROCESSED', 'empty', 1_000);
  await sleep(idleMs);
  call.send(Buffer.alloc(call.frameBytes * 30, call.format === 'ulaw' ? 0xff : 0));
  onReady();
  const pressed = await call.event('DTMF_END', undefined, 6_000);
  return {
    saidAt,
    saidMark: said?.at,
    repeatedAt,
    flushedAt,
    cutMark: call.find('MEDIA_MARK_PROCESSED', 'cut')?.at,
    emptyMark: empty?.at,
    digit: pressed?.digit === undefined ? undefined : { digit: pressed.digit, at: pressed.at },
  };
}
