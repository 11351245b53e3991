import { prefersJson } from './accept';

it.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['audio/wav', false],
  ['audio/*;q=0.1', false],
  ['application/json, text/plain, */*', false],
  ['application/json, audio/wav', false],
  ['application/json;q=0', false],
  ['nonsense', false],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['audio/wav;q=0.5, application/json', true],
  ['*/*;q=0.1, application/json', true],
  ['application/*', true],
])('Accept: %s prefers JSON to audio: %s', (accept, expected) => {
  expect(prefersJson(accept, 'audio/wav')).toBe(expected);
});
