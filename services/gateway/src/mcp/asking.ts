import type { Caller } from '@parley/runtime';
import type { RequestContext } from '../http';
import type { ToolPage } from './tool-list';
import type { Selection } from './toolsets';

/** The caller of a message, its request, and the tools that the URL selects. */
export class Asking {
  /** The page of a tools/list response, which is not serialised again. */
  page?: ToolPage;

  constructor(
    readonly caller: Caller,
    readonly exchange: RequestContext,
    readonly selection: Selection,
  ) {}
}
