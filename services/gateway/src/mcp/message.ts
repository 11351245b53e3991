import { parseJsonStrict } from '@parley/contract';

/** A JSON-RPC error that is created here without the protocol's SDK. */
export interface RpcRefusal {
  readonly kind: 'batch' | 'malformed';
  readonly code: -32700 | -32600;
  readonly message: string;
}

/** A parsed message, or its refusal. */
export type ReadMessage = { readonly body: Readonly<Record<string, unknown>> } | { readonly refusal: RpcRefusal };

/** A larger message is not parsed a second time to describe its error. */
const examinedBytes = 16 * 1024;

/** Parses one message. Anything but an object, such as a batch, is recognized by its first byte and not parsed. */
export function readMessage(bytes: Buffer): ReadMessage {
  switch (firstCharacter(bytes)) {
    case '{':
      break;
    case '[':
      return refuse('batch', -32600, 'batches are not supported: send each message in a separate request');
    case '':
      return refuse('malformed', -32700, 'the body must be valid JSON');
    default:
      return refuse('malformed', -32600, 'a message must be a JSON object');
  }
  try {
    return { body: parseJsonStrict(bytes) };
  } catch (error) {
    const json = bytes.length <= examinedBytes && isJson(bytes);
    return refuse('malformed', json ? -32600 : -32700, error instanceof Error ? error.message : 'not JSON');
  }
}

const refuse = (kind: RpcRefusal['kind'], code: RpcRefusal['code'], message: string): ReadMessage => ({
  refusal: { kind, code, message },
});

function firstCharacter(bytes: Buffer): string {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return String.fromCharCode(byte);
  }
  return '';
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

const methods: ReadonlySet<unknown> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);

/** The label of a message in metrics and logs. It is one of a few fixed names, whatever the client sent. */
export function labelOf({ method, id }: Readonly<Record<string, unknown>>): string {
  if (typeof method !== 'string') return 'mcp response';
  if (methods.has(method)) return `mcp ${method}`;
  return id === undefined ? 'mcp notification' : 'mcp other';
}
