import { openingOf } from './opening';

const big = 'x'.repeat(100_000);

describe('id, method and tool name, read from the beginning and the end of a large MCP message', () => {
  it.each<[string, string, object]>([
    [
      'a call in the usual field order',
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}}}`,
      { id: 7, method: 'tools/call', tool: 'a' },
    ],
    [
      'the id after the arguments',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}},"jsonrpc":"2.0","id":7}`,
      { id: 7, method: 'tools/call', tool: 'a' },
    ],
    [
      'the id after the arguments and before jsonrpc',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}"}},"id":"q","jsonrpc":"2.0"}`,
      { id: 'q', method: 'tools/call', tool: 'a' },
    ],
    [
      '_meta before the name',
      `{"id":1,"method":"tools/call","params":{"_meta":{"name":"no","p":[{"name":"no"}]},"name":"a","arguments":{"b":"${big}"}}}`,
      { id: 1, method: 'tools/call', tool: 'a' },
    ],
    [
      'white space and escape sequences',
      `{ "id" : 1 , "method" : "tools\\/call" , "params" : { "name" : "\\u0061" , "arguments" : {"b":"${big}"} } }`,
      { id: 1, method: 'tools/call', tool: 'a' },
    ],
    [
      'arguments before the name: a "name" inside the arguments is not the tool name',
      `{"id":1,"method":"tools/call","params":{"arguments":{"name":"no","b":"${big}"},"name":"a"}}`,
      { id: 1, method: 'tools/call' },
    ],
    [
      'an "id" inside the arguments is not the id of the message',
      `{"method":"tools/call","params":{"name":"a","arguments":{"b":"${big}","id":5}}}`,
      { method: 'tools/call', tool: 'a' },
    ],
    [
      'all fields after the arguments: nothing is found',
      `{"params":{"arguments":{"b":"${big}"},"name":"a"},"method":"tools/call"}`,
      {},
    ],
    ['not JSON: nothing is found', big, {}],
    ['100,000 opening braces: nothing is found', '{'.repeat(100_000), {}],
    ['an unterminated string: nothing is found', `{"${big}`, {}],
  ])('%s', (_what, text, expected) => {
    expect(openingOf(Buffer.from(text))).toEqual(expected);
  });
});
