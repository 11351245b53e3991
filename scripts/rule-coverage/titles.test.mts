import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titlesOf } from './titles.mts';

const variants = (source: string): readonly string[] =>
  titlesOf('x.test.ts', source).flatMap((title) => title.variants);

const cases = [
  { what: 'a test', source: `it('a', () => {});`, titles: ['a'] },
  {
    what: 'inside describes',
    source: `describe('2.6: a', () => { describe('b', () => { it('c', f); }); });`,
    titles: ['2.6: a › b › c'],
  },
  {
    what: 'rows that are written out',
    source: `it.each([['x', 1], ['y', 2]])('%s is %d', f);`,
    titles: ['x is 1', 'y is 2'],
  },
  { what: 'rows of single values', source: `it.each<[string]>(['x', 'y'])('%s', f);`, titles: ['x', 'y'] },
  { what: 'rows that are not', source: `it.each(rows)('7.1 %s: %i', f);`, titles: ['7.1 %s: %i'] },
  { what: 'a row without text', source: `it.each([[{ a: 1 }, null]])('%j and %s', f);`, titles: ['… and null'] },
  {
    what: 'rows of a describe',
    source: `describe.each(['x', 'y'])('%s', (n) => { it(\`b \${n}\`, f); });`,
    titles: ['x › b x', 'x › b y', 'y › b x', 'y › b y'],
  },
  { what: 'what is skipped or to do', source: `it.skip('a', f); it.todo('b'); xit('c', f);`, titles: [] },
  { what: 'a call of that name of somebody else', source: `expect(fake.it('a')).toBe(1);`, titles: [] },
];
for (const { what, source, titles } of cases) {
  await test(`titles: ${what}`, () => assert.deepEqual(variants(source), titles));
}

await test('titles: rules of a table are named by section, class and field', () => {
  const source = `
    import { closedObject, integerField, requiredFields, refusal, type Subject } from '../../test/rule-table';
    const subject: Subject = { section: '2.6', cls: AgentOpening, base: { a: 1, b: 2 } };
    integerField(subject, 'seconds', { min: 1, max: 5 });
    closedObject({ ...subject, base: {} });
    requiredFields(subject, ['a', 'b']);
    refusal(subject, {});
    describe.each([['one', subject], ['other', { section: '2.2', cls: AgentUpdate }]])('of %s', (_, either) => {
      integerField(either, 'x', { min: 1, max: 5 });
    });`;
  assert.deepEqual(variants(source), [
    '2.6 AgentOpening seconds',
    '2.6 AgentOpening has no extra properties',
    '2.6 AgentOpening a',
    '2.6 AgentOpening b',
    '2.6 AgentOpening x',
    '2.2 AgentUpdate x',
  ]);
});
