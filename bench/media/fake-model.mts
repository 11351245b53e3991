import type { IncomingMessage, ServerResponse } from 'node:http';
import { firstTokenMs, tokenMs } from './delays.mts';
import { Figures } from './percentiles.mts';

/** How late tokens are sent, in ms: the delay that the simulated model itself adds on a busy core. */
export const modelLateness = new Figures();

/**
 * A model that streams like a chat completions server: the first token after a delay, then one at a time, then the finish reason. Its replies consist of two or
 * three sentences of the voice, in rotation.
 */
export function complete(request: IncomingMessage, response: ServerResponse, reply: readonly string[]): void {
  const begun = performance.now();
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const tokens = reply
    .join(' ')
    .split(/(?= )/)
    .map((content) => chunk({ content }, null));
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  const dueAt = () => begun + firstTokenMs + next * tokenMs;
  const arm = () => (timer = setTimeout(send, Math.max(0, dueAt() - performance.now())));
  const send = () => {
    modelLateness.add(performance.now() - dueAt());
    // Tokens that are overdue because this process was late are sent together, like over a network.
    for (; next < tokens.length && performance.now() >= dueAt(); next += 1) response.write(tokens[next]);
    if (next < tokens.length) arm();
    else response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  };
  response.on('close', () => clearTimeout(timer));
  arm();
}

function chunk(delta: object, finishReason: string | null): string {
  const body = {
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'fake-model',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}
