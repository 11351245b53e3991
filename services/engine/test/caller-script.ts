import type { CallPlan } from '../src/core/plan';
import type { Random } from './random';

export interface Speech {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const words = [
  'what',
  'does',
  'it',
  'cost',
  'hello',
  'mhm',
  'uh',
  'tomorrow',
  'yes',
  'press one for sales',
  'please hold',
  'please leave a message.',
];

/** When the caller speaks, from the start of media, and what it says. */
export function scriptOf(random: Random, plan: CallPlan): Speech[] {
  const speeches: Speech[] = [];
  let at = random.of([100, 1_000, 3_000, plan.noCallerSpeechMs - 500, 200_000]);
  for (let nth = random.between(0, 6); nth > 0; nth -= 1) {
    const start = at + random.between(100, 8_000) - (speeches.length === 0 ? 100 : 0);
    const end = start + random.of([64, 150, 300, 900, 3_000, 9_000]);
    const said = Array.from({ length: random.between(0, 5) }, () => random.of(words));
    speeches.push({ start, end, text: said.join(' ') });
    at = end + 300;
  }
  return speeches;
}
