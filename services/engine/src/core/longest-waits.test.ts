import { World } from '../../test/fault-schedule';
import { planOfSeed, SilenceAudit } from '../../test/silence-audit';
import { deadlineNames, type DeadlineName } from './state';

/** What lasted too long in a call by the schedule of this seed; without one of the core's deadlines. */
function violationsOf(seed: number, without?: DeadlineName): readonly string[] {
  const world = new World(seed, planOfSeed(seed), without);
  const audit = new SilenceAudit(world);
  world.run(audit);
  return audit.violations;
}

const schedules = 3_000;

describe('schedules of faults', () => {
  it(`no wait is longer than its bound in ${schedules} of them`, () => {
    const failed: string[] = [];
    for (let seed = 1; seed <= schedules && failed.length < 5; seed += 1)
      for (const violation of violationsOf(seed)) failed.push(`seed ${seed}: ${violation}`);
    expect(failed).toEqual([]);
  });

  it.each(deadlineNames)('without the deadline %s some wait is', (name) => {
    let found: readonly string[] = [];
    for (let seed = 1; seed <= schedules && found.length === 0; seed += 1) found = violationsOf(seed, name);
    expect(found).not.toEqual([]);
  });
});
