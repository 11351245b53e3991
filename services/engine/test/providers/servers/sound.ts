/** Milliseconds of sound for each character of a text. */
export const msPerCharacter = 50;

/** The four bytes that all audio of a server repeats. */
export type Timbre = 'tone' | 'hums';

/** Audio whose duration is proportional to the text, 16-bit little-endian. */
export function voiceOf(text: string, sampleRate: number, timbre: Timbre = 'tone'): Buffer {
  const samples = Math.round((text.length * msPerCharacter * sampleRate) / 1000);
  return Buffer.alloc(2 * samples, timbre);
}
