import type { Caller } from '@parley/runtime';
import type { RequestContext } from '../http';
import type { ToolPage } from './tool-list';
import type { Selection } from './toolsets';

/** Who sent a message, by which request, and which tools the address selects. */
export class Asking {
  /** The page that the answer to tools/list carries, which is not serialised again. */
  page?: ToolPage;

  constructor(
    readonly caller: Caller,
    readonly exchange: RequestContext,
    readonly selection: Selection,
  ) {}
}
