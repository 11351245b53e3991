import { allRoutes } from '@parley/contract';
import type { ServedRoute } from '../routes';
import { toolsOf } from './tool';
import { ToolList, withPage } from './tool-list';
import { parseSelection } from './toolsets';

const tools = [...toolsOf(allRoutes.map((declaration) => ({ declaration }) as ServedRoute)).values()];
const list = new ToolList(tools, 1_000);

describe('the list of tools', () => {
  it.each(['', '?toolsets=agents', '?toolsets=agents&output_schemas=true'])(
    'is serialized once per selection: /mcp%s',
    (query) => {
      const page = list.page(parseSelection(`/mcp${query}`), undefined);
      for (let again = 0; again < 10; again += 1) {
        expect(list.page(parseSelection(`/mcp${query}`), undefined).array).toBe(page.array);
      }
    },
  );

  it('is the same cached object if the same toolsets are named in another way', () => {
    const page = list.page(parseSelection('/mcp?toolsets=calls,agents'), undefined);
    expect(list.page(parseSelection('/mcp?toolsets=agents&toolsets=calls,calls'), undefined).array).toBe(page.array);
  });

  it('is cached for a limited number of selections', () => {
    const kept = list.page(parseSelection('/mcp?toolsets=calls'), undefined).array;
    for (let mask = 1; mask < 128; mask += 1) {
      const names = ['agents', 'variables', 'workflow', 'calls', 'messages', 'campaigns', 'publications'];
      const named = names.filter((_name, bit) => (mask & (1 << bit)) !== 0);
      list.page(parseSelection(`/mcp?toolsets=${named.join(',')}&output_schemas=true`), undefined);
    }
    expect(list.page(parseSelection('/mcp?toolsets=calls'), undefined).array).not.toBe(kept);
  });

  it.each(['"tools":[]', '\\"tools\\":[]', '{"tools":[]}'])(
    'is inserted at result.tools of the answer even if the id contains similar text: %s',
    (id) => {
      const answer = Buffer.from(JSON.stringify({ id, jsonrpc: '2.0', result: { tools: [], nextCursor: 'x' } }));
      const parts = withPage(answer, { array: Buffer.from('[{"name":"one"}]') });
      expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({
        id,
        jsonrpc: '2.0',
        result: { tools: [{ name: 'one' }], nextCursor: 'x' },
      });
    },
  );

  it('leaves an answer without a tool list unchanged', () => {
    const error = Buffer.from('{"error":{}}');
    expect(withPage(error, { array: Buffer.from('[1]') })).toEqual([error]);
  });
});
