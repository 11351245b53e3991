import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nonHumanMs } from './answer-detection';
import { deadlineNames } from './state';
import { leastHeardMs, longestWaits } from './waits';

const page = path.resolve(__dirname, '../../../../docs/waits.md');
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, deadline = '', , bound = '', constant = ''] = line
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim());
    return { deadline, bound, constant };
  });

describe('the table of waits in docs/waits.md', () => {
  it('has every deadline of the core, and no other', () => {
    expect(new Set(rows.map(({ deadline }) => deadline))).toEqual(new Set(deadlineNames));
  });

  it('contains every fixed bound once, with its value', () => {
    const fixed = rows
      .filter(({ constant }) => constant !== '')
      .map(({ constant, bound }) => [constant, Number(bound)]);
    expect(fixed).toHaveLength(Object.keys(longestWaits).length);
    expect(Object.fromEntries(fixed)).toEqual(longestWaits);
  });

  it.each([
    ['heard', leastHeardMs],
    ['non_human', nonHumanMs],
  ])('contains the bound of %s', (name, ms) => {
    expect(rows.filter(({ deadline }) => deadline === name).map(({ bound }) => bound)).toEqual([String(ms)]);
  });

  it('names a setting or a number for each wait', () => {
    expect(rows.filter(({ bound }) => !/^(\d+|[a-z_]+(\.[a-z_]+)?)$/.test(bound))).toEqual([]);
  });
});
