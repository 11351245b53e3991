import type { Audio } from '../../carriers/carrier';

const msPerCharacter = 55;
const shortestMs = 300;

/** Text as simulated sound, as long as it would take to say. */
export const speechOf = (text: string): Audio => ({
  format: 'simulated',
  text,
  durationMs: Math.max(shortestMs, text.length * msPerCharacter),
});
