import { openingOf } from './opening';

const big = 'x'.repeat(100_000);

describe('the opening of a message', () => {
  it.each<[string, string, object]>([
    [
      'a usual call',
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}}}`,
      { id: 7, method: 'tools/call', tool: 'a' },
    ],
    [
      'the id behind',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}},"jsonrpc":"2.0","id":7}`,
      { id: 7, method: 'tools/call', tool: 'a' },
    ],
    [
      'the id before jsonrpc at the end',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}},"id":"q","jsonrpc":"2.0"}`,
      { id: 'q', method: 'tools/call', tool: 'a' },
    ],
    [
      '_meta before the name',
      `{"id":1,"method":"tools/call","params":{"_meta":{"name":"no","p":[{"name":"no"}]},"name":"a","arguments":{"b":"${big}"}}}`,
      { id: 1, method: 'tools/call', tool: 'a' },
    ],
    [
      'spaces and escapes',
      `{ "id" : 1 , "method" : "tools\\/call" , "params" : { "name" : "\\u0061" , "arguments" : {"b":"${big}"} } }`,
      { id: 1, method: 'tools/call', tool: 'a' },
    ],
    [
      'a name in the arguments',
      `{"id":1,"method":"tools/call","params":{"arguments":{"name":"no","b":"${big}"},"name":"a"}}`,
      { id: 1, method: 'tools/call' },
    ],
    [
      'an id in the arguments',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}","id":5}}}`,
      { method: 'tools/call', tool: 'a' },
    ],
    ['everything behind', `{"params":{"arguments":{"b":"${big}"},"name":"a"},"method":"tools/call"}`, {}],
    ['no JSON', big, {}],
    ['braces', '{'.repeat(100_000), {}],
    ['an unfinished string', `{"${big}`, {}],
  ])('%s', (_what, text, expected) => {
    expect(openingOf(Buffer.from(text))).toEqual(expected);
  });
});
