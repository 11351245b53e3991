// A webhook tool as a web server in 40 lines. Node 20 or later, no dependencies.
// Start it with: PARLEY_SECRET=whsec_... PORT=3000 node server.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.PARLEY_SECRET ?? '';
if (secret === '') throw new Error('PARLEY_SECRET: the secret in the answer of the save that added the tool');
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Standard Webhooks: one of the signatures is ours, and the request is not older than five minutes. */
function isSigned({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Replace these with your own: the name of a tool, and what it returns for its arguments. The model reads the result. */
const orders = new Map([['A1', { status: 'on its way', arrives: 'Friday' }]]);
const tools = {
  look_up_order: ({ order }) => orders.get(order) ?? { status: 'unknown', hint: 'ask for the number again' },
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (request.method !== 'POST' || !isSigned(request.headers, body)) return response.writeHead(401).end();
  // tool_call_id is the same where a request is seen twice, as behind a proxy that repeats: keep it with what you change.
  const { name, arguments: given, tool_call_id: toolCallId } = JSON.parse(body);
  if (!Object.hasOwn(tools, name)) return response.writeHead(404).end();
  process.stdout.write(`${toolCallId} ${name}\n`);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tools[name](given)));
});
server.listen(Number(process.env.PORT ?? 3000), () => process.stdout.write(`listening on ${server.address().port}\n`));
