/** Places the first call of a new platform: an agent is configured, published and called, and its signed events arrive. */
import { randomUUID } from 'node:crypto';
import { eventTypes } from '@parley/contract';
import type { DevelopmentKeys } from './accounts.mts';
import { readJson, writeJson } from './files.mts';
import { Listener } from './listener.mts';
import { Rest, RestError, text } from './rest.mts';

/** The content of <home>/first-call.json: what the first call has created, so that a later start can use it again. */
interface FirstCallState {
  organization_id: string;
  listener_port: number;
  agent_endpoint_id: string;
  secret: string;
  agent_id?: string;
  call_id?: string;
}

/** Several numbers, because the first one may already belong to an organization in an existing database. */
const from = Array.from({ length: 10 }, (_, index) => `+150055501${String(index).padStart(2, '0')}`);
/** This callee answers, talks for three turns and hangs up (docs/reference/calls.md). */
const to = '+15005550006';
const last = ['call.completed', 'call.failed', 'call.canceled'];

/** Places the call once for the data of a home. On later starts only the listener is started again. */
export async function firstCall(
  stateFile: string,
  keys: DevelopmentKeys,
  say: (text: string) => void,
): Promise<Listener> {
  const stored = readJson<FirstCallState>(stateFile);
  const earlier = stored?.organization_id === keys.organization_id ? stored : undefined;
  const listener = await Listener.start(earlier?.listener_port, say);
  const rest = new Rest(keys.base_url, keys.admin_key);
  const state = await bindListener(rest, keys, listener, earlier);
  writeJson(stateFile, state);
  listener.secret = state.secret;
  if (state.call_id) return listener;
  state.agent_id ??= await configureAgent(rest, keys, say);
  writeJson(stateFile, state);
  await ensureNumber(rest, keys);
  await placeCall(rest, listener, state, say);
  writeJson(stateFile, state);
  return listener;
}

/** Returns the endpoint that delivers to this listener: the stored one if its port is still the same, otherwise a new one. */
async function bindListener(
  rest: Rest,
  keys: DevelopmentKeys,
  listener: Listener,
  earlier: FirstCallState | undefined,
): Promise<FirstCallState> {
  if (earlier?.listener_port === listener.port) return earlier;
  const endpoint = await rest.post('/v1/agent-endpoints', {
    organization_id: keys.organization_id,
    project_id: keys.project_id,
    name: 'npm start',
    webhook_url: listener.url,
    audio_stream_url: listener.url.replace('http:', 'ws:'),
    events: eventTypes.filter((type) => type.startsWith('call.') || type === 'media.started'),
  });
  return {
    ...earlier,
    organization_id: keys.organization_id,
    listener_port: listener.port,
    agent_endpoint_id: text(endpoint, 'agent_endpoint_id', 'id'),
    secret: text(endpoint, 'secret'),
  };
}

async function configureAgent(rest: Rest, keys: DevelopmentKeys, say: (text: string) => void): Promise<string> {
  const agent = await rest.post('/v1/agents', {
    organization_id: keys.organization_id,
    project_id: keys.project_id,
    mode: 'hosted',
    name: 'Reception',
    language: 'en',
    system_prompt: 'You are the receptionist of a dental practice. Offer an appointment.',
  });
  const agentId = text(agent, 'agent_id', 'id');
  // Saving languages publishes the first version.
  const stack = await rest.patch(`/v1/agents/${agentId}/voice-stack`, {
    languages: ['en'],
    first_message: 'Good morning, how can I help?',
    opening: { first_speaker: 'agent' },
  });
  const { published_version: version } = stack.language_profiles as { published_version: number };
  say(`First call: agent ${agentId} is configured and published as version ${version}`);
  return agentId;
}

async function ensureNumber(rest: Rest, keys: DevelopmentKeys): Promise<void> {
  const { organization_id, project_id } = keys;
  const { data } = (await rest.get('/v1/numbers')) as { data: unknown[] };
  if (data.length > 0) return;
  for (const phone_number of from) {
    try {
      await rest.post('/v1/numbers', { organization_id, project_id, phone_number, provider: 'simulator' });
      return;
    } catch (error) {
      if (!(error instanceof RestError && error.status === 409)) throw error;
    }
  }
  throw new Error(`the numbers from ${from[0]} to ${from.at(-1)} are all taken`);
}

async function placeCall(
  rest: Rest,
  listener: Listener,
  state: FirstCallState,
  say: (text: string) => void,
): Promise<void> {
  const begin = performance.now();
  say(`First call: dialing ${to}; its events arrive at ${listener.url}`);
  const call = await rest.post('/v1/calls', { agent_id: state.agent_id, to }, { 'Idempotency-Key': randomUUID() });
  const callId = text(call, 'call_id', 'id');
  const end = await listener.find(({ type, resource_id: id }) => id === callId && last.includes(type), 60_000);
  state.call_id = callId;
  say(`First call: ${callId} ${end.type} after ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
