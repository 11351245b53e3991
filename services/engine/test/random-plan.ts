import { plainBehavior } from './plain-behavior';
import type { CallPlan } from '../src/core/plan';
import { plan } from './conversation';
import { Random } from './random';

/** A plan out of the contract's ranges, shortened where long waits would add nothing. */
export function planOfSeed(seed: number): CallPlan {
  const random = new Random(seed ^ 0x5eed);
  const delayMs = random.of([600, 1_200, 3_000]);
  const holds = {
    finished: random.of([260, 600]),
    unfinished: random.of([600, 1_800]),
    withoutDetector: random.of([600, 1_100, 2_000]),
  };
  return {
    ...plan,
    firstSpeaker: random.of(['callee', 'agent']),
    silenceWaitMs: random.of([1_000, 5_000]),
    maxCallMs: random.of([60_000, 60_000, 300_000]),
    noCallerSpeechMs: random.of([10_000, 20_000, 50_000]),
    interruptionMs: random.of([150, 500]),
    interruptionWords: random.of([0, 0, 1, 2]),
    fillers: ['mhm', 'uh'],
    endOfTurn: holds,
    nonHumanAudio: random.of(['shadow', 'end_call', 'end_call']),
    voicemailMessage: 'Call us.',
    greeting: random.of(['', 'Good morning, this is Anna.']),
    speculates: random.chance(0.7),
    conduct: {
      ...plainBehavior,
      endPhrase: random.of(['', 'Goodbye.']),
      acknowledgement: random.of([null, { delayMs, phrases: ['One moment.'] }]),
      toolWait: random.of([
        null,
        { mode: 'acknowledge', delayMs, phrases: ['Hm.'], soundMs: 15_000, silentTools: ['transfer_call'] },
        { mode: 'sound', delayMs, phrases: [], soundMs: 15_000, silentTools: ['transfer_call'] },
      ] as const),
      unrecognised: random.of([null, { most: 1, phrase: 'Pardon?' }]),
      modelUnresponsiveMs: random.of([null, 10_000, 10_000, 30_000]),
      navigation: random.of([null, { maxMenuMs: 10_000, maxHoldMs: 15_000 }]),
    },
    ...(random.chance(0.05) && { spendCapMs: random.between(1_000, 70_000) }),
  };
}
