import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { encodeMuLaw } from './mulaw.mts';
import { openerTokens } from './delays.mts';

export interface Utterance {
  readonly text: string;
  /** Mu-law, 8 kHz, in base64. Begins and ends with a sound. */
  readonly audio: string;
}

/** All utterances that the measurement uses. */
export interface Voices {
  readonly caller: { readonly questions: readonly Utterance[]; readonly interruptions: readonly Utterance[] };
  readonly agent: { readonly openers: readonly Utterance[]; readonly sentences: readonly Utterance[] };
  /** The agent's second track: the background noise of a quiet room. */
  readonly bed: string;
}

const questions = [
  'Hello, I would like to know when you are open tomorrow morning.',
  'Can you tell me what an appointment costs and how long it takes?',
  'I need to move my booking to another day, is Thursday possible?',
  'Is there anything I should bring with me when I come in?',
];
const interruptions = [
  'Excuse me, I am sorry to stop you, but I meant the other branch.',
  'Actually wait a moment, another question is more important now.',
];
const openers = ['Sure I can help.', 'Yes of course you.', 'Good that you called.', 'Let me see now.'];
const sentences = [
  'We are open from nine in the morning until seven in the evening on every day of the week except for Sunday.',
  'An appointment takes about forty minutes and you can pay by card when you leave or by transfer within the next ten days.',
  'I have noted your name and your number and my colleague is going to call you back in the course of the afternoon.',
  'The nearest free place that I can see is on Thursday at half past ten and another one opens up on Friday at noon.',
];

/** Used to cut silence at both ends of an utterance: samples above this level are speech. */
const speechLevel = 500;
const peak = 12_000;
const bedPeak = 100;

/** Synthesizes all utterances with the project's offline voice. */
export async function makeVoices(): Promise<Voices> {
  if (openers.some((text) => text.split(' ').length !== openerTokens)) throw new Error('an opener has other tokens');
  const worker = new Worker(path.resolve(import.meta.dirname, '../../libs/speech/dist/synthesis/flite-worker.js'));
  const all = async (voice: string, texts: readonly string[]): Promise<Utterance[]> => {
    const spoken: Utterance[] = [];
    for (const text of texts) spoken.push({ text, audio: await speak(worker, voice, text) });
    return spoken;
  };
  try {
    return {
      caller: { questions: await all('rms', questions), interruptions: await all('rms', interruptions) },
      agent: { openers: await all('slt', openers), sentences: await all('slt', sentences) },
      bed: roomNoise().toString('base64'),
    };
  } finally {
    await worker.terminate();
  }
}

async function speak(worker: Worker, voice: string, text: string): Promise<string> {
  const answered = once(worker, 'message');
  worker.postMessage({ args: ['-voice', voice, '-t', text] });
  const [answer] = (await answered) as [{ audio: Uint8Array } | { failure: string }];
  if ('failure' in answer) throw new Error(answer.failure);
  return encodeMuLaw(loudest(trimmed(halved(samplesOf(Buffer.from(answer.audio)))))).toString('base64');
}

/** The samples of a WAVE file with one channel of 16 bits. These voices have 16 kHz. */
function samplesOf(wave: Buffer): Int16Array {
  if (wave.readUInt32LE(24) !== 16_000) throw new Error(`a voice at ${wave.readUInt32LE(24)} Hz`);
  const data = wave.indexOf('data') + 8;
  return new Int16Array(wave.buffer.slice(wave.byteOffset + data, wave.byteOffset + wave.length - (wave.length % 2)));
}

/** Converts from 16 to 8 kHz with a low-pass filter of 31 taps. */
function halved(samples: Int16Array): Int16Array {
  const taps = Array.from({ length: 31 }, (_, n) => {
    const x = n - 15;
    const window = 0.54 + 0.46 * Math.cos((Math.PI * x) / 15);
    return window * (x === 0 ? 0.46 : Math.sin(0.46 * Math.PI * x) / (Math.PI * x));
  });
  return Int16Array.from({ length: samples.length >> 1 }, (_, n) =>
    taps.reduce((total, tap, place) => total + tap * (samples[2 * n + place - 15] ?? 0), 0),
  );
}

function trimmed(samples: Int16Array): Int16Array {
  const isSpeech = (sample: number) => Math.abs(sample) > speechLevel;
  return samples.subarray(samples.findIndex(isSpeech), samples.findLastIndex(isSpeech) + 1);
}

function loudest(samples: Int16Array): Int16Array {
  const most = samples.reduce((loud, sample) => Math.max(loud, Math.abs(sample)), 1);
  return samples.map((sample) => (sample * peak) / most);
}

/** Four seconds of quiet noise, the same in each run. */
function roomNoise(): Buffer {
  let seed = 1;
  let level = 0;
  return encodeMuLaw(
    Int16Array.from({ length: 32_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      level += ((seed / 2_147_483_647 - 0.5) * 2 * bedPeak - level) / 2;
      return level;
    }),
  );
}
