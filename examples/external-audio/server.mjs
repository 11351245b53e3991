// An agent of your own that hears and speaks by itself: Parley connects the sound of each call to this server, in the shapes of Twilio's media streams.
// Node 24 or later, and `npm install ws`. Start it with: PARLEY_SECRET=whsec_... PORT=3000 node server.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebSocketServer } from 'ws';

const secret = process.env.PARLEY_SECRET ?? '';
if (secret === '') throw new Error('PARLEY_SECRET: the secret that POST /v1/agents/{agent_id}/rotate-secret returned');
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Standard Webhooks, with `{}` in place of the body that a handshake does not have. */
function isSigned({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' }) {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.{}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = new WebSocketServer({
  port: Number(process.env.PORT ?? 3000),
  verifyClient: ({ req }, allow) => (isSigned(req.headers) ? allow(true) : allow(false, 401)),
});
server.on('listening', () => process.stdout.write(`listening on ${server.address().port}\n`));

// Replace what follows with your own agent: this one repeats what it hears, and hangs up when the caller presses #.
server.on('connection', (socket) => {
  const send = (message) => socket.send(JSON.stringify(message));
  socket.on('message', (data) => {
    const { event, start, media, mark, dtmf } = JSON.parse(data);
    if (event === 'start') process.stdout.write(`call ${start.callSid} of ${start.customParameters.agent_id}\n`);
    if (event === 'media') send({ event: 'media', media: { payload: media.payload } });
    if (event === 'dtmf' && dtmf.digit === '#') send({ event: 'mark', mark: { name: 'said everything' } });
    if (event === 'mark' && mark.name === 'said everything') send({ event: 'hang_up' });
  });
});
