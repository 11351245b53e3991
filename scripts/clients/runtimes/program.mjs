/** What every runtime runs, unchanged: the SDK as its package has it, against the platform. Throws with what was otherwise. */
import { items, Parley, ParleyError, WebhookError } from '@parley/sdk';
import { unwrap } from '@parley/sdk/webhooks';

function must(what, actual, expected) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found} and not ${wanted}`);
}

const failure = (operation) =>
  operation.then(
    () => undefined,
    (error) => error,
  );

/** @returns the steps that were done */
export async function program({ baseUrl, faultyUrl, apiKey, projectId, webhook }) {
  const done = [];
  const parley = new Parley({ apiKey, baseUrl });
  // Everything that goes through here is refused with 429 twice before it reaches the platform.
  const throttled = new Parley({ apiKey, baseUrl: faultyUrl });
  const { organization } = await parley.me.getMe();
  const body = { organization_id: organization.organization_id, project_id: projectId, mode: 'hosted' };

  const made = [];
  for (const name of ['First', 'Second', 'Third']) {
    const { agent_id: agentId } = await throttled.agents.createAgent({ body: { ...body, name } });
    made.push(agentId);
  }
  done.push('created through 429');

  const { data, next_cursor: next } = await parley.agents.listAgents({ query: { project_id: projectId, limit: 2 } });
  must('a page', [data.map(({ agent_id: id }) => id), typeof next], [[made[2], made[1]], 'string']);
  done.push('listed');

  const found = [];
  for await (const { agent_id: id } of items((cursor) =>
    parley.agents.listAgents({ query: { project_id: projectId, limit: 1, ...(cursor && { cursor }) } }),
  )) {
    found.push(id);
    if (found.length === 3) break;
  }
  must('pages', found, made.toReversed());
  done.push('followed pages');

  const path = { agent_id: made[0] };
  const conflict = await failure(
    parley.agents.updateAgent({ path, body: { name: 'Late' }, headers: { 'If-Match': '"0"' } }),
  );
  if (!(conflict instanceof ParleyError && conflict.is('ConflictError'))) throw conflict;
  must('a conflict', [conflict.status, conflict.body.error], [409, 'ConflictError']);
  const invalid = await failure(parley.calls.createCall({ body: { agent_id: made[0], to: 'nowhere' } }));
  if (!(invalid instanceof ParleyError && invalid.is('BadRequestError'))) throw invalid;
  must('the field', invalid.body.errors[0].path, 'to');
  const unreachable = new Parley({ apiKey, baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
  must('no answer', (await failure(unreachable.me.getMe())).code, 'connection_error');
  done.push('narrowed errors');

  const renamed = await parley.change(
    (options) => parley.agents.getAgent({ path, ...options }),
    ({ name }, options) => parley.agents.updateAgent({ path, body: { name: `${name}!` }, ...options }),
  );
  must('a change', renamed.name, 'First!');
  done.push('changed with If-Match');

  const since = new Date(Date.now() - 60_000).toISOString();
  await parley.agents.saveVoiceStack({ path, body: { languages: ['en'] } });
  const { call_id: callId } = await parley.calls.createCall({ body: { agent_id: made[0], to: '+15005550006' } });
  must('the call', (await parley.waitForCall(callId)).status, 'completed');
  let streamed;
  const stop = new AbortController();
  for await (const { event } of parley.streamEvents({ after: since, types: ['call.completed'], signal: stop.signal }))
    if (event.type === 'call.completed' && event.data.call_id === callId) {
      streamed = event.type;
      stop.abort();
    }
  must('the stream', streamed, 'call.completed');
  let logged = 0;
  for await (const { type } of items((after) =>
    parley.events.listEvents({ query: { after: after ?? since, types: ['call.completed'], limit: 1 } }),
  )) {
    must('the log', type, 'call.completed');
    logged += 1;
  }
  if (logged === 0) throw new Error('the log has no event');
  done.push('waited for a call, streamed its event, read the log to its end');

  must('a webhook', (await unwrap(webhook.body, webhook.headers, webhook.secret)).type, 'call.completed');
  const forged = await failure(unwrap(`${webhook.body} `, webhook.headers, webhook.secret));
  if (!(forged instanceof WebhookError)) throw forged;
  must('a forged webhook', forged.code, 'signature_mismatch');
  done.push('unwrapped a webhook');
  return done;
}
