/**
 * Voicemail greetings with human voices (Debian's asterisk-core-sounds in five languages), each followed by a generated record tone: how many tones are
 * recognized, and how often speech is taken for a tone. From the environment: VOICEMAIL_GREETINGS (200 per language), VOICEMAIL_SEED (default: the current
 * time). Downloads the packages with apt once. Needs a build.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import '../sources.mts';
import { readWav } from '../../scripts/asterisk/trial/sound.mts';
import type { BenchRow, Table } from '../row.mts';

const languages = ['en', 'es', 'fr', 'it', 'ru'];
const greetings = Number(process.env.VOICEMAIL_GREETINGS ?? 200);
const seed = Number(process.env.VOICEMAIL_SEED ?? Date.now() % 1_000_000);
const rate = 8_000;
/** Maximum time after the end of a tone within which it counts as recognized. */
const withinMs = 200;
const frame = rate / 50;

interface Detector {
  take(samples: Int16Array): boolean;
}

/** Uniform random numbers that are the same for the same seed (mulberry32). */
function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The recordings of a language with speech, without its tones and silences. */
function voicesOf(language: string): Int16Array[] {
  const name = `asterisk-core-sounds-${language}-wav`;
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'parley/sounds');
  const folder = path.join(cache, name);
  if (!existsSync(folder)) {
    const fetched = path.join(cache, `${name}.${process.pid}`);
    mkdirSync(fetched, { recursive: true });
    execFileSync('apt-get', ['download', name], { cwd: fetched, stdio: 'ignore' });
    const [archive = ''] = readdirSync(fetched).filter((file) => file.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', archive, 'root'], { cwd: fetched });
    renameSync(path.join(fetched, 'root'), folder);
    rmSync(fetched, { recursive: true });
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.wav') && !/silence|beep|tone|confbridge-(?:join|leave)/.test(file))
    .sort()
    .map((file) => readWav(path.join(folder, file)).samples);
}

async function run(): Promise<Table[]> {
  const load = createRequire(import.meta.url);
  const { BeepDetector } = load('../../services/engine/src/media/beep.ts') as {
    BeepDetector: new (sampleRate: number) => Detector;
  };
  const { muLawBytes, muLawSamples } = load('../../services/engine/src/media/mu-law.ts') as {
    muLawBytes(samples: Int16Array): Buffer;
    muLawSamples(bytes: Buffer): Int16Array;
  };
  const random = randomOf(seed);
  const between = (low: number, high: number): number => low + random() * (high - low);
  /** The positions, in samples, at which a detector reports the end of a tone. */
  const heardIn = (samples: Int16Array): number[] => {
    const [line, detector] = [muLawSamples(muLawBytes(samples)), new BeepDetector(rate)];
    const found: number[] = [];
    for (let at = 0; at + frame <= line.length; at += frame)
      if (detector.take(line.subarray(at, at + frame))) found.push(at + frame);
    return found;
  };
  /** A greeting of several sentences, a pause, the tone, and the silence of a mailbox that records. */
  const mailbox = (voices: readonly Int16Array[]): { samples: Int16Array; tone: [begin: number, end: number] } => {
    const parts: Int16Array[] = [];
    for (let seconds = 0; seconds < between(4, 15);) {
      const voice = voices[Math.floor(random() * voices.length)] ?? new Int16Array(0);
      parts.push(voice, new Int16Array(Math.round(between(0.05, 0.6) * rate)));
      seconds += voice.length / rate;
    }
    parts.push(new Int16Array(Math.round(between(0.1, 1.5) * rate)));
    const begin = parts.reduce((sum, { length }) => sum + length, 0);
    const [hertz, level, length] = [
      between(400, 2_100),
      10 ** (between(-26, -3) / 20),
      Math.round(between(0.15, 1.5) * rate),
    ];
    parts.push(
      Int16Array.from({ length }, (_, n) => Math.round(32_767 * level * Math.sin((2 * Math.PI * hertz * n) / rate))),
      new Int16Array(rate),
    );
    const samples = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    // Adds the noise of a line, 60 dB below full scale.
    for (let n = 0; n < samples.length; n += 1)
      samples[n] = Math.max(-32_768, Math.min(32_767, (samples[n] ?? 0) + Math.round((random() - 0.5) * 110)));
    return { samples, tone: [begin, begin + length] };
  };
  const rows = languages.map((language) => {
    const voices = voicesOf(language);
    const hours = voices.reduce((sum, { length }) => sum + length, 0) / rate / 3_600;
    const inSpeech = voices.reduce((sum, voice) => sum + heardIn(voice).length, 0);
    let [recognised, early] = [0, 0];
    for (let n = 0; n < greetings; n += 1) {
      const { samples, tone } = mailbox(voices);
      const heard = heardIn(samples);
      const isIt = (at: number): boolean => at > tone[1] - frame && at <= tone[1] + (withinMs * rate) / 1_000;
      if (heard.some(isIt)) recognised += 1;
      early += heard.filter((at) => !isIt(at)).length;
    }
    if (recognised < greetings) process.exitCode = 1;
    return {
      language,
      recordings: voices.length,
      mailboxes: greetings,
      'tones recognized, %': Number(((100 * recognised) / greetings).toFixed(2)),
      'false alarms in greetings': early,
      'hours of speech': Number(hours.toFixed(2)),
      'false alarms in it': inSpeech,
      'an hour': Number((inSpeech / hours).toFixed(2)),
    };
  });
  return [{ title: `record tones of mailboxes, seed ${seed}`, rows }];
}

export const bench: BenchRow = { title: 'voicemail', run };
