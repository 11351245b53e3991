import type { CallEffect } from '../src/core/effects';
import type { CallState } from '../src/core/state';
import type { TimedInput } from '../src/core/step';
import { InputLog } from '../src/replay/input-log';
import { World } from './fault-schedule';
import { planOfSeed } from './random-plan';

/** The log of one call in a world whose parts fail by a seeded schedule, and how many steps it took. */
export function recordedCall(seed: number): { readonly log: string; readonly steps: number } {
  let kept = '';
  const log = new InputLog(`call_${seed}`, (text) => (kept = text));
  const world = new World(seed, planOfSeed(seed), undefined);
  log.begin(world.plan, 0);
  world.run({
    passed: () => undefined,
    over: () => undefined,
    stepped: (
      _before: CallState,
      _after: CallState,
      effects: readonly CallEffect[],
      _world: World,
      input: TimedInput,
    ) => log.take(input.at, input.input, effects),
  });
  log.end();
  return { log: kept, steps: world.steps };
}
