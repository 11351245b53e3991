import type { ServerResponse } from 'node:http';
import { ProviderServer, type Answering } from './provider-server';
import { voiceOf } from './sound';

type Json = Record<string, unknown>;

/** Chat completions, speech and transcriptions. A user who says "use the tools" gets two calls, sent in pieces. */
export const openAiServer = (
  auth = { header: 'authorization', prefix: 'Bearer ' },
  reply = (said: string): string => `You said: ${said}. That was all of it.`,
): ProviderServer =>
  new ProviderServer({
    auth,
    http(answering, body, response) {
      const { pathname } = answering.url;
      if (answering.request.method !== 'POST') answering.reportViolation('is asked by POST');
      if (pathname === '/v1/chat/completions') return chat(answering, jsonOf(answering, body), response, reply);
      if (pathname === '/v1/audio/speech') return speech(answering, jsonOf(answering, body), response);
      if (pathname === '/v1/audio/transcriptions') return transcription(answering, body, response);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    },
  });

export function jsonOf({ request, reportViolation }: Answering, body: Buffer): Json {
  if (request.headers['content-type'] !== 'application/json') reportViolation('takes JSON');
  return JSON.parse(body.toString()) as Json;
}

const calls = [
  { index: 0, id: 'call_a', function: { name: 'find_order', arguments: '' } },
  { index: 0, function: { arguments: '{"number":' } },
  { index: 1, id: 'call_b', function: { name: 'end_call', arguments: '{}' } },
  { index: 0, function: { arguments: '7}' } },
];

function chat(
  { fault, reportViolation }: Answering,
  body: Json,
  response: ServerResponse,
  reply: (said: string) => string,
): void {
  const messages = body.messages as Json[];
  if (typeof body.model !== 'string' || body.model === '') reportViolation('needs a model');
  if (body.stream !== true) reportViolation('is asked for a stream');
  if (!messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(String(role))))
    reportViolation('takes four roles');
  if (Array.isArray(body.tools) && body.tools.length === 0) reportViolation('takes no empty list of tools');
  const said = String(messages.findLast(({ role }) => role === 'user')?.content);
  const wantsTools = said.includes('use the tools');
  const deltas: Json[] = wantsTools
    ? calls.map((call) => ({ tool_calls: [call] }))
    : reply(said)
        .match(/\S+\s*/g)!
        .map((content) => ({ content }));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (delta: Json, finish_reason: string | null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  for (const [n, delta] of deltas.entries()) {
    if (n === 2 && fault === 'stall_midway') return;
    if (n === 2 && fault === 'socket_closed') return void setImmediate(() => response.destroy());
    if (n === 2 && fault === 'garbage') return void response.end('data: {"choices": [\n\n');
    event(delta, null);
  }
  event({}, wantsTools ? 'tool_calls' : 'stop');
  if (body.stream_options !== undefined)
    response.write(
      `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\n`,
    );
  response.end('data: [DONE]\n\n');
}

function speech({ fault, reportViolation }: Answering, body: Json, response: ServerResponse): void {
  for (const name of ['model', 'voice', 'input'])
    if (typeof body[name] !== 'string' || body[name] === '') reportViolation(`needs ${name}`);
  if (body.response_format !== 'pcm') reportViolation('is asked for pcm');
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end('{"audio": null}');
  }
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  const sound = voiceOf(String(body.input), 24_000);
  const half = (sound.length >> 1) | 1;
  // Two chunks that split a 16-bit sample.
  response.write(sound.subarray(0, half));
  if (fault === 'stall_midway') return;
  if (fault === 'socket_closed') return void setTimeout(() => response.destroy(), 5);
  response.end(sound.subarray(half));
}

function transcription({ request, fault, reportViolation }: Answering, body: Buffer, response: ServerResponse): void {
  const form = body.toString('latin1');
  if (!/^multipart\/form-data/.test(request.headers['content-type'] ?? '')) reportViolation('takes a form');
  if (!/name="file"; filename="[^"]+"/.test(form) || !form.includes('RIFF')) reportViolation('needs a WAVE file');
  for (const name of ['model', 'language', 'response_format'])
    if (!form.includes(`name="${name}"`)) reportViolation(`needs ${name}`);
  const answer = JSON.stringify({ text: 'hello there' });
  if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"te');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
  response.write(answer.slice(0, 5));
  if (fault === 'stall_midway') return;
  if (fault === 'socket_closed') return void setTimeout(() => response.destroy(), 5);
  response.end(answer.slice(5));
}
