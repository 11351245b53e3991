import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import { missingScopes } from './call-tool';
import { openingOf } from './opening';
import type { RouteTool } from './tool';

/** Messages up to this size are parsed before they are checked, because that is cheap. */
const largeBytes = 64 * 1024;

const tooLarge = (why: string): AppError =>
  new AppError('PayloadTooLargeError', `a message of more than ${largeBytes} bytes ${why}`);

/**
 * Checks large messages before they are parsed, because parsing is the expensive part. Only a call of a tool whose route has a body may be that large, and only
 * from a caller with the tool's scope.
 */
export class LargeMessages {
  constructor(private readonly tools: ReadonlyMap<string, RouteTool>) {}

  /** Called before the body is read. @throws AppError PayloadTooLargeError if the caller may call no tool with a body */
  announced(headers: IncomingHttpHeaders, caller: Caller): void {
    if (Number(headers['content-length'] ?? 0) <= largeBytes) return;
    for (const tool of this.tools.values()) {
      if (takesBody(tool) && missingScopes(tool, caller) === undefined) return;
    }
    throw tooLarge('requires a key that may call a tool with a body');
  }

  /**
   * The result of a tool call if the caller lacks the scope; undefined if the message must be parsed.
   * @throws AppError PayloadTooLargeError for a large message that does not begin like a call of a tool with a body
   */
  refused(bytes: Buffer, caller: Caller): object | undefined {
    // A batch is recognized by its first byte and gets a separate error.
    if (bytes.length <= largeBytes || bytes[0] === openBracket) return undefined;
    const { method, tool: name, id } = openingOf(bytes);
    if (method !== 'tools/call' || name === undefined || id === undefined) {
      throw tooLarge('must have method, params.name and id before or after the arguments');
    }
    const tool = this.tools.get(name);
    if (tool === undefined || !takesBody(tool)) throw tooLarge('must call a tool with a body');
    const result = missingScopes(tool, caller);
    return result === undefined ? undefined : { jsonrpc: '2.0', id, result };
  }
}

const openBracket = 0x5b;

const takesBody = ({ route }: RouteTool): boolean => route.declaration.body !== undefined;
