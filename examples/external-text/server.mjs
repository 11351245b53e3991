// An agent of your own, as a web server: Parley hears and speaks, and asks this server what to say. Node 24 or later, no dependencies.
// Start it with: PARLEY_SECRET=whsec_... PORT=3000 node server.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.PARLEY_SECRET ?? '';
if (secret === '') throw new Error('PARLEY_SECRET: the secret that POST /v1/agents/{agent_id}/rotate-secret returned');
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Standard Webhooks: one of the signatures is ours, and the request is not older than five minutes. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Replace this with your own agent. Yields what to say, piece by piece; the first piece is spoken while the others are made. */
async function* reply({ text, transcript, variables }) {
  if (text === '') yield `Hello ${variables.name ?? 'there'}, this is an agent of your own.`;
  else {
    yield `You said: ${text} `;
    yield `That was turn ${transcript.filter(({ speaker }) => speaker === 'caller').length}.`;
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (request.method !== 'POST' || !isSigned(request.headers, body)) return response.writeHead(401).end();
  const turn = JSON.parse(body);
  if (/\bgoodbye\b/i.test(turn.text)) {
    // Short answers can be one JSON object.
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ text: 'Goodbye!', end_call: true }));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event, data) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  for await (const text of reply(turn)) {
    // The caller interrupted, and what is still to be said is not wanted any more.
    if (response.destroyed) return;
    send('delta', { text });
  }
  send('done', {});
  response.end();
});
server.listen(Number(process.env.PORT ?? 3000), () => process.stdout.write(`listening on ${server.address().port}\n`));
