import type { ServerResponse } from 'node:http';
import { jsonOf } from './openai-server';
import { ProviderServer, type Answering } from './provider-server';

type Json = Record<string, unknown>;

/** The Messages API. A user who says "use the tools" gets two calls, sent in pieces. */
export const anthropicServer = (): ProviderServer =>
  new ProviderServer({
    auth: { header: 'x-api-key' },
    http(answering, body, response) {
      if (answering.url.pathname !== '/v1/messages') return void response.writeHead(404).end('{}');
      messages(answering, jsonOf(answering, body), response);
    },
  });

function messages({ request, fault, reportViolation }: Answering, body: Json, response: ServerResponse): void {
  const turns = body.messages as { role: string; content: string | Json[] }[];
  if (typeof request.headers['anthropic-version'] !== 'string') reportViolation('needs anthropic-version');
  if (request.headers.authorization !== undefined) reportViolation('takes the key as x-api-key alone');
  if (!Number.isInteger(body.max_tokens)) reportViolation('needs max_tokens');
  if (body.stream !== true) reportViolation('is asked for a stream');
  if (turns[0]?.role !== 'user') reportViolation('begins with the user');
  if (turns.some(({ role }, n) => role === turns[n - 1]?.role)) reportViolation('takes turns that alternate');
  const blocks = turns.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  if (blocks.some(({ type, text }) => type === 'text' && text === '')) reportViolation('takes no empty text');
  const last = turns.at(-1)?.content;
  const said = Array.isArray(last) ? String(last.at(-1)?.text) : String(last);
  const wantsTools = said.includes('use the tools');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, rest: Json): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  event('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 11 } } });
  event('ping', {});
  const middle = (): boolean => {
    if (fault === 'socket_closed') setImmediate(() => response.destroy());
    if (fault === 'garbage') response.end('event: content_block_delta\ndata: {"type": \n\n');
    return fault === 'stall_midway' || fault === 'socket_closed' || fault === 'garbage';
  };
  if (wantsTools) {
    event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 'call_a', name: 'find_order' } });
    for (const partial_json of ['{"number":', '7}'])
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } });
    event('content_block_stop', { index: 0 });
    event('content_block_start', { index: 1, content_block: { type: 'tool_use', id: 'call_b', name: 'end_call' } });
    event('content_block_stop', { index: 1 });
  } else {
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    for (const [n, text] of `You said: ${said}. That was all of it.`.match(/\S+\s*/g)!.entries()) {
      if (n === 2 && middle()) return;
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
    }
    event('content_block_stop', { index: 0 });
  }
  event('message_delta', {
    delta: { stop_reason: wantsTools ? 'tool_use' : 'end_turn' },
    usage: { output_tokens: 7 },
  });
  event('message_stop', {});
  response.end();
}
