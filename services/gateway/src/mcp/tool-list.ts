import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { RouteTool } from './tool';
import type { Selection } from './toolsets';

/** One page of tools/list, whose array of tools is created as text once for all requests. */
export interface ToolPage {
  readonly array: Buffer;
  readonly nextCursor?: string;
}

/** Maximum of cached pages. A page with all tools has about 100 KB, or 250 KB with output schemas. */
const capacity = 32;

/** The tools as JSON text, in the same order on every replica. A page is serialized at its first request and then cached. */
export class ToolList {
  private readonly pages = new LRUCache<string, ToolPage>({ max: capacity });

  constructor(
    private readonly tools: readonly RouteTool[],
    private readonly pageSize: number,
  ) {}

  /**
   * @param cursor the name of the tool after which the page begins
   * @throws ProtocolError if the cursor is no tool of the selection
   */
  page(selection: Selection, cursor: string | undefined): ToolPage {
    const key = `${selection.outputSchemas} ${selection.toolsets.join()} ${cursor ?? ''}`;
    let page = this.pages.get(key);
    if (page === undefined) this.pages.set(key, (page = this.makePage(selection, cursor)));
    return page;
  }

  private makePage(selection: Selection, cursor: string | undefined): ToolPage {
    const { toolsets, outputSchemas } = selection;
    const all = this.tools.filter(({ toolset }) => toolsets.length === 0 || toolsets.includes(toolset));
    const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
    const last = after === undefined ? -1 : all.findIndex(({ name }) => name === after);
    if (after !== undefined && last === -1) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'invalid cursor of tools/list');
    }
    const page = all.slice(last + 1, last + 1 + this.pageSize);
    const end = page.at(-1);
    const more = last + 1 + this.pageSize < all.length && end !== undefined;
    return {
      array: Buffer.from(JSON.stringify(page.map((tool) => listed(tool, outputSchemas)))),
      ...(more ? { nextCursor: Buffer.from(end.name).toString('base64url') } : {}),
    };
  }
}

function listed(tool: RouteTool, outputSchemas: boolean): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, ...(outputSchemas ? { outputSchema } : {}), annotations };
}

/** The empty list in a serialized response. Text from a client cannot contain it, because quotes in strings are escaped. */
const emptyList = '"tools":[]';

/** The parts of a tools/list response: the page's text replaces the empty list. */
export function withPage(answer: Buffer, { array }: ToolPage): readonly Buffer[] {
  const at = answer.indexOf(emptyList);
  if (at === -1) return [answer];
  const list = at + emptyList.length - 2;
  return [answer.subarray(0, list), array, answer.subarray(list + 2)];
}
