import { auditOf } from '../../test/silence-audit';
import { deadlineNames } from './state';

/** `npm run bench -- --only core` runs 100,000 schedules. */
const schedules = 3_000;

describe('random calls with failures', () => {
  it(`no wait exceeds its bound in ${schedules} of them`, () => {
    const failed: string[] = [];
    for (let seed = 1; seed <= schedules && failed.length < 5; seed += 1)
      for (const violation of auditOf(seed).violations) failed.push(`seed ${seed}: ${violation}`);
    expect(failed).toEqual([]);
  });

  it.each(deadlineNames)('without the deadline %s, some wait exceeds its bound', (name) => {
    let found: readonly string[] = [];
    for (let seed = 1; seed <= schedules && found.length === 0; seed += 1) found = auditOf(seed, name).violations;
    expect(found).not.toEqual([]);
  });
});
