/** Milliseconds of sound for each character of a text. */
export const msPerCharacter = 50;

/** What every sound of a server is made of: four bytes again and again. */
export type Timbre = 'tone' | 'hums';

/** A text as sound of the length that it stands for: 16-bit little-endian. */
export function voiceOf(text: string, sampleRate: number, timbre: Timbre = 'tone'): Buffer {
  const samples = Math.round((text.length * msPerCharacter * sampleRate) / 1000);
  return Buffer.alloc(2 * samples, timbre);
}
