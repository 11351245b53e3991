import type { Caller } from '@parley/runtime';
import type { RequestContext } from '../http';
import type { ToolPage } from './tool-list';
import type { Selection } from './toolsets';

/** An MCP message's caller and request, and the selection of tools in its URL. */
export class Asking {
  /** The page of a tools/list response. It is stored as text, so that it need not be serialized again. */
  page?: ToolPage;

  constructor(
    readonly caller: Caller,
    readonly exchange: RequestContext,
    readonly selection: Selection,
  ) {}
}
