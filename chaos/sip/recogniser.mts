/** Recognizes the segments that an engine sends, with pocketsphinx. */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readWav, writeWav, type Sound } from '../../scripts/asterisk/trial/sound.mts';

export interface Understood {
  readonly sound: Sound;
  readonly text: string;
}

export class Recogniser {
  readonly understood: Understood[] = [];
  private files = 0;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @param form the request of OpenAI's protocol, which contains a WAV file */
  readonly hears = async (form: Buffer): Promise<string> => {
    const file = path.join(this.folder, `segment-${(this.files += 1)}.wav`);
    writeFileSync(file, form.subarray(form.indexOf('RIFF')));
    const sound = fromFirstSound(readWav(file));
    writeWav(file, sound);
    const args = ['-infile', file, '-logfn', '/dev/null'];
    const { stdout } = await promisify(execFile)('pocketsphinx_continuous', args, { timeout: 20_000 });
    const text = stdout.trim().replaceAll(/\s+/g, ' ');
    this.understood.push({ sound, text });
    rmSync(file);
    return text;
  };
}

/** Removes silence at the beginning: after seconds of it the recognizer takes noise for words. */
function fromFirstSound({ rate, samples }: Sound): Sound {
  const first = samples.findIndex((sample) => Math.abs(sample) > 1_000);
  return { rate, samples: samples.slice(Math.max(0, first - rate * 0.3)) };
}
