// A conversation with an agent over parley.audio.v1: docs/test-calls.md describes the protocol.
const agentId = location.pathname.split('/').pop();
/** The link of a public demo, whose token stands for a key. */
const demo = location.pathname.startsWith('/demo/');
const mediaUrl = document.documentElement.dataset.mediaUrl;
const byId = (id) => document.getElementById(id);
const stateNames = { listening: 'Listening', thinking: 'Thinking', speaking: 'Speaking' };

/** A token in the fragment, which is sent to no server, stands for a key; it is removed from the address at once. */
let handedIn = new URLSearchParams(location.hash.slice(1)).get('token');
if (handedIn !== null) history.replaceState(null, '', location.pathname);

if (!demo) byId('agent').textContent = agentId;
byId('agent-name').hidden = demo;
byId('demo-note').hidden = !demo;
showKeyField();

byId('start').addEventListener('submit', (event) => {
  event.preventDefault();
  start().catch((error) => fail(error.message));
});

function showKeyField() {
  const asked = handedIn === null && !demo;
  byId('key-field').hidden = !asked;
  byId('key').required = asked;
}

async function start() {
  fail('');
  byId('start-button').disabled = true;
  byId('transcript').replaceChildren();
  let sound;
  try {
    // Before the call exists: the person may take a while to allow the microphone, and the token lives for a minute.
    sound = await openSound();
    talk(await connection(), sound);
  } catch (error) {
    sound?.close();
    byId('start-button').disabled = false;
    throw error;
  }
}

/** Where to connect, and with which token. */
async function connection() {
  if (handedIn !== null) {
    const token = handedIn;
    handedIn = null;
    return { url: `${mediaUrl}/browser`, token };
  }
  const response = await fetch(demo ? `${location.pathname}/calls` : `/v1/agents/${agentId}/test-calls`, {
    method: 'POST',
    headers: {
      ...(!demo && { Authorization: `Bearer ${byId('key').value}` }),
      'Content-Type': 'application/json',
    },
    body: '{}',
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`The call was refused (${response.status}): ${answer.message ?? answer.error}`);
  return { url: answer.websocket_url, token: answer.token };
}

/** The microphone and the loudspeaker at the rate of the line. */
async function openSound() {
  const stream = await microphone();
  const context = new AudioContext({ sampleRate: 16_000 });
  await context.audioWorklet.addModule('/test/worklets.js');
  await context.resume();
  const player = new AudioWorkletNode(context, 'parley-player', { numberOfInputs: 0, outputChannelCount: [1] });
  player.connect(context.destination);
  const input = new AudioWorkletNode(context, 'parley-microphone', { numberOfOutputs: 0, channelCount: 1 });
  if (stream !== undefined) context.createMediaStreamSource(stream).connect(input);
  return {
    player: player.port,
    input: input.port,
    close() {
      for (const track of stream?.getTracks() ?? []) track.stop();
      input.port.onmessage = null;
      void context.close();
    },
  };
}

/** Undefined if there is no microphone or its use is not allowed: the visitor can type. */
async function microphone() {
  try {
    const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    fail(`No microphone (${error.name}): type instead of speaking.`);
    return undefined;
  }
}

function talk({ url, token }, sound) {
  const socket = new WebSocket(url, ['parley.audio.v1', `parley.token.${token}`]);
  socket.binaryType = 'arraybuffer';
  let ready = false;
  let ended = false;
  const send = (message) => {
    if (ready && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const hangUp = () => (ready ? send({ type: 'hang_up' }) : socket.close());
  const type = (event) => {
    event.preventDefault();
    const text = byId('text').value;
    if (text.trim() !== '') send({ type: 'text', text });
    byId('text').value = '';
  };
  sound.input.onmessage = ({ data: { samples, peak } }) => {
    if (!ended) byId('level').value = peak;
    if (ready && socket.readyState === WebSocket.OPEN) socket.send(samples);
  };
  sound.player.onmessage = ({ data: { mark } }) => send({ type: 'mark', name: mark });
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') return sound.player.postMessage({ samples: new Int16Array(data) });
    const message = JSON.parse(data);
    switch (message.type) {
      case 'ready':
        ready = true;
        return show('Connected');
      case 'state':
        return show(stateNames[message.state] ?? message.state);
      case 'transcript':
        return write(message);
      case 'mark':
        return sound.player.postMessage({ mark: message.name });
      case 'clear':
        return sound.player.postMessage({ clear: true });
      case 'tool':
        return show(`Tool ${message.name}: ${message.state}`);
      case 'ended':
        ended = true;
        byId('end').disabled = true;
        byId('level').value = 0;
        return show(`Ended: ${[message.ended_reason, message.reason_detail].filter(Boolean).join(', ')}`);
    }
  };
  socket.onclose = ({ code }) => {
    sound.close();
    byId('level').value = 0;
    byId('end').disabled = true;
    byId('end').removeEventListener('click', hangUp);
    byId('typed').removeEventListener('submit', type);
    byId('start-button').disabled = false;
    showKeyField();
    if (!ended) show('Ended');
    if (code !== 1000 && code !== 1005) fail(closings[code] ?? `The connection was lost (${code}).`);
    byId('start-button').focus();
  };
  byId('end').addEventListener('click', hangUp);
  byId('typed').addEventListener('submit', type);
  byId('end').disabled = false;
  byId('call').hidden = false;
  show('Connecting');
  byId('end').focus();
}

const closings = {
  1008: 'The token is unknown, used or too old. Start another call.',
  1009: 'Too much sound was sent at once.',
  1013: 'The platform could not take the call now. Try again.',
};

function show(text) {
  byId('state').textContent = text;
}

function fail(text) {
  byId('problem').textContent = text;
}

/** One line for each turn; a later text of the same turn replaces the earlier one. */
function write({ speaker, turn_id: turnId, text, final }) {
  const id = `${speaker}-${turnId}`;
  const line = byId(id) ?? byId('transcript').appendChild(newLine(id, speaker));
  line.dataset.final = String(final);
  line.lastChild.textContent = text;
  line.scrollIntoView({ block: 'nearest' });
}

function newLine(id, speaker) {
  const line = document.createElement('li');
  line.id = id;
  line.dataset.speaker = speaker;
  const name = document.createElement('span');
  name.className = 'speaker';
  name.textContent = speaker === 'agent' ? 'Agent' : 'You';
  line.append(name, document.createElement('span'));
  return line;
}
