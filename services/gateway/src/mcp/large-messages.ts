import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@parley/errors';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import { missingScopes } from './call-tool';
import { openingOf } from './opening';
import type { RouteTool } from './tool';

/** Smaller messages are parsed before they are checked, which is cheap. */
const largeBytes = 64 * 1024;

const tooLarge = (why: string): AppError =>
  new AppError('PayloadTooLargeError', `a message of more than ${largeBytes} bytes ${why}`);

/**
 * Refuses large messages before parsing, which is the expensive part. Only a call of a tool whose route has a body needs one, and only from a caller with the
 * scope.
 */
export class LargeMessages {
  constructor(
    private readonly tools: ReadonlyMap<string, RouteTool>,
    private readonly controlState: Pick<ControlStateMirror, 'maintenance'>,
  ) {}

  /** Before the body is read. @throws AppError PayloadTooLargeError for a caller who may call no tool with a body */
  announced(headers: IncomingHttpHeaders, caller: Caller): void {
    if (Number(headers['content-length'] ?? 0) <= largeBytes) return;
    for (const tool of this.tools.values()) {
      if (takesBody(tool) && missingScopes(tool, caller) === undefined) return;
    }
    throw tooLarge('is for keys that may call a tool with a body');
  }

  /**
   * The result of a call if the caller lacks its scope; undefined for a message that has to be parsed.
   * @throws AppError PayloadTooLargeError for a large message that does not begin as a call of a tool with a body
   */
  refused(bytes: Buffer, caller: Caller): object | undefined {
    // A batch is recognised by its first byte and gets its own error.
    if (bytes.length <= largeBytes || bytes[0] === openBracket) return undefined;
    const { method, tool: name, id } = openingOf(bytes);
    if (method !== 'tools/call' || name === undefined || id === undefined) {
      throw tooLarge('names method, params.name and id before or behind the arguments');
    }
    const tool = this.tools.get(name);
    if (tool === undefined || !takesBody(tool)) throw tooLarge('is for a tool with a body');
    // A maintenance window takes precedence over a missing scope.
    if (this.controlState.maintenance().active) return undefined;
    const result = missingScopes(tool, caller);
    return result === undefined ? undefined : { jsonrpc: '2.0', id, result };
  }
}

const openBracket = 0x5b;

const takesBody = ({ route }: RouteTool): boolean => route.declaration.body !== undefined;
