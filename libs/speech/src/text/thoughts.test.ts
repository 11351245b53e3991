import { Thoughts } from './thoughts';

const shown = (pieces: readonly string[]): string => {
  const thoughts = new Thoughts();
  return pieces.map((piece) => thoughts.read(piece)).join('') + thoughts.end();
};

const cases: readonly (readonly [string, string])[] = [
  [
    '<think>The user wants a price. I must not reveal the discount.</think>It costs five euros.',
    'It costs five euros.',
  ],
  ['<think>\nHm.\n</think>\n\nYes.', 'Yes.'],
  ['<Thinking mode="on">a</Thinking >Yes.', 'Yes.'],
  ['<thought>a</thought>Yes.', 'Yes.'],
  ['<reasoning>a < b</reasoning>Yes.', 'Yes.'],
  ['[THINK]a[/THINK]Yes.', 'Yes.'],
  ['◁think▷a◁/think▷Yes.', 'Yes.'],
  ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Yes.', 'Yes.'],
  ['First. <think>a</think>Then.', 'First. Then.'],
  ['<think>a</think><think>b</think>Yes.', 'Yes.'],
  ['<think>never ends', ''],
  ['ends only</think> here', 'ends only here'],
  ['5 < 6, a <b>c</b> and [x] <', '5 < 6, a <b>c</b> and [x] <'],
  ['I think so <thin', 'I think so <thin'],
];

it.each(cases)('%j is shown as %j', (text, expected) => expect(shown([text])).toBe(expected));

it.each(cases)('%j is shown the same in any two pieces, and in single characters', (text, expected) => {
  for (let at = 1; at < text.length; at += 1) expect(shown([text.slice(0, at), text.slice(at)])).toBe(expected);
  expect(shown(text.split(''))).toBe(expected);
});

it('passes text on at once that cannot be the beginning of a tag', () => {
  const thoughts = new Thoughts();
  expect(thoughts.read('5 < 6')).toBe('5 < 6');
  expect(thoughts.read(' a <')).toBe(' a ');
  expect(thoughts.read('table')).toBe('<table');
});
