import type { Parley } from '../../clients/typescript/dist/index.js';
import { find } from '../asterisk/trial/waveform.mts';
import { findBinary } from '../servers/binaries.mts';

/** The reason why this machine cannot run test calls with audio; undefined if it can. */
export const noSpeech: string | undefined =
  findBinary('pocketsphinx_continuous') === undefined
    ? 'pocketsphinx and pocketsphinx-en-us are not installed'
    : undefined;

/** The caller's question, which offline speech recognizes. */
export const question = 'What are your opening hours on Saturday?';
export const understood = /opening hours/;

const rate = 16_000;

/** Synthesizes a text with the agent's voice: 16-bit samples. */
export async function spokenBy(parley: Parley, agentId: string, text: string): Promise<Buffer> {
  const { organization } = await parley.me.getMe();
  const body = { organization_id: organization?.organization_id ?? '', agent_id: agentId, text };
  const spoken: unknown = await parley.voicePreviews.previewVoice({ body });
  if (!(spoken instanceof Blob)) throw new TypeError('a preview is no sound');
  return Buffer.from(await spoken.arrayBuffer()).subarray(44);
}

/**
 * Silence during the greeting, the question, and silence. The file is played repeatedly, so that the question is repeated if it overlaps the greeting or the
 * answer is late.
 */
export const askedAgain = (pcm: Buffer): Buffer => Buffer.concat([silenceOf(8), pcm, silenceOf(15)]);

const silenceOf = (seconds: number): Buffer => Buffer.alloc(2 * rate * seconds);

/** A RIFF WAVE file with these samples. */
export function waveOf(pcm: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}

const samplesOf = (pcm: Buffer): Int16Array =>
  Int16Array.from({ length: Math.floor(pcm.length / 2) }, (_, n) => pcm.readInt16LE(2 * n));

/** How many of the first five half seconds of the expected audio occur in what was heard. */
export function halfSecondsFound(wanted: Buffer, heard: Buffer): number {
  const recording = { rate, samples: samplesOf(heard) };
  const all = samplesOf(wanted);
  const pieces = [0, 1, 2, 3, 4].map((n) => all.subarray(n * 8_000, (n + 1) * 8_000));
  return pieces.filter((samples) => samples.length > 0 && find({ rate, samples }, recording).correlation > 0.95).length;
}
