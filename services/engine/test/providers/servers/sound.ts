/** Milliseconds of sound for each character of a text. */
export const msPerCharacter = 50;

/** A text as sound of the length that it stands for: 16-bit little-endian. */
export function voiceOf(text: string, sampleRate: number): Buffer {
  const samples = Math.round((text.length * msPerCharacter * sampleRate) / 1000);
  return Buffer.alloc(2 * samples, 'tone');
}
