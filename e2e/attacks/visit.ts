import { once } from 'node:events';
import http from 'node:http';
import { WebSocket } from 'ws';
import type { World } from './world';

export interface Visited {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface VisitOptions {
  /** The loopback address from which the request is sent: limits count each one separately. */
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let visitors = 0;
/** An address of a visitor that no other test uses. */
export const newAddress = (): string => {
  visitors += 1;
  return `127.7.${Math.floor(visitors / 250)}.${1 + (visitors % 250)}`;
};

/** A request without a key, as the pages of a demo send it. */
export async function visit(
  { platform, refusals }: World,
  path: string,
  body: object = {},
  { from = newAddress(), method = 'POST', headers = {} }: VisitOptions = {},
): Promise<Visited> {
  const request = http.request(`${platform.baseUrls[0] ?? ''}${path}`, {
    method,
    localAddress: from,
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
  });
  request.end(method === 'GET' ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  const status = response.statusCode ?? 0;
  if (status >= 400) refusals.push(text);
  return { status, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

export interface Connected {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly heard: Buffer[];
  /** The close code, or the status of a refused handshake. */
  readonly outcome: Promise<number>;
}

/** Opens a WebSocket and keeps what arrives. */
export function connectTo(
  url: string,
  protocols: readonly string[],
  options: { readonly localAddress?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Connected {
  const socket = new WebSocket(url, [...protocols], options);
  const messages: Record<string, unknown>[] = [];
  const heard: Buffer[] = [];
  socket.on('message', (data: Buffer, binary: boolean) => {
    if (binary) heard.push(data);
    else messages.push(JSON.parse(data.toString()) as Record<string, unknown>);
  });
  socket.on('error', () => undefined);
  const outcome = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code));
    socket.on('unexpected-response', (request, { statusCode }) => {
      request.destroy();
      resolve(statusCode ?? 0);
    });
  });
  return { socket, messages, heard, outcome };
}
