import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import { Customer } from './customer';
import { requestExample } from './documented/exchanges';
import { Platform } from './platform';
import { ModelServer } from './spoken/model-server';
import { ToolServer } from './spoken/tool-server';
import { findBrowser, openBrowser } from './test-page/browser';
import { until } from './until';

const browser = findBrowser();

/** A web server of another origin than the platform. Chromium frames no loopback address in a site whose address it does not know. */
function otherSite() {
  let body = '';
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
    response.end(request.url === '/' ? body : '');
  });
  const origin = (): string => `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async serve(page: string): Promise<string> {
      body = page;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `${origin()}/`;
    },
    close: () => server.close(),
  };
}

interface Session {
  readonly chat_session_id: string;
  readonly call_id: string;
  readonly first_message: string;
  readonly status: string;
}

interface Turn {
  readonly agent_text: string;
  readonly status: string;
  readonly tool_calls: readonly { readonly name: string; readonly outcome: string; readonly result: string }[];
}

const fact = 'The practice is open on Saturdays from nine to eleven.';

/** Chats through gateway, telephony and engine, with a model that uses OpenAI's protocol, a webhook tool, knowledge and variables. */
describe('chats', () => {
  let platform: Platform;
  let customer: Customer;
  let stranger: Customer;
  let operator: Api;
  let models: ModelServer;
  let tools: ToolServer;

  beforeAll(async () => {
    platform = await Platform.start();
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    customer = await Customer.create(platform);
    stranger = await Customer.create(platform);
    tools = await ToolServer.start({ '/find': { status: 'on its way', driver: 'Anna' } });
    models = await ModelServer.start((said, [result]) => {
      if (result !== undefined)
        return result.includes('Anna') ? 'Anna is on her way.' : (/\S.*$/m.exec(result)?.[0] ?? '');
      if (said.includes('order')) return { tool: 'find_order', arguments: { number: 7 } };
      if (said.includes('Saturday')) return { tool: 'query_knowledge', arguments: { question: said } };
      return said.includes('bye') ? { tool: 'end_call', arguments: {} } : `You wrote ${said.length} characters.`;
    });
    const named = { organization_id: customer.organizationId, project_id: customer.projectId };
    const credential = await customer.api.post('/v1/component-credentials', {
      ...{ organization_id: customer.organizationId, kind: 'llm', provider: 'openai_compatible', name: 'own' },
      ...{ secret: 'sk-own', base_url: models.url },
    });
    const saved = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, {
      first_message: 'Hello {{name}}.',
      model: { provider: 'openai_compatible', model: 'own-chat' },
      component_credential_bindings: { llm: credential.body.component_credential_id },
      tools: [
        { type: 'builtin', name: 'query_knowledge' },
        { type: 'builtin', name: 'end_call' },
        {
          type: 'webhook',
          name: 'find_order',
          description: 'Finds an order.',
          parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
          url: `${tools.url}/find`,
          method: 'POST',
        },
      ],
    });
    expect([saved.status, saved.body]).toEqual([200, expect.anything()]);
    const base = await customer.api.post('/v1/knowledge-bases', { ...named, name: 'Practice' });
    const baseId = String(base.body.knowledge_base_id);
    const document = await customer.api.post(`/v1/knowledge-bases/${baseId}/documents`, { name: 'Hours', text: fact });
    await until('the document is ready', async () => {
      const { body } = await customer.api.get(`/v1/knowledge-documents/${String(document.body.document_id)}`);
      return body.status === 'ready';
    });
    const attached = await customer.api.put(`/v1/agents/${customer.agentId}/knowledge-bases`, {
      knowledge_base_ids: [baseId],
    });
    expect(attached.status).toBe(200);
  });

  afterAll(async () => {
    await customer?.close();
    await stranger?.close();
    await models?.stop();
    await tools?.stop();
    await platform?.stop();
  });

  const begin = (): Promise<Session> =>
    until('a chat is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/chat-sessions`;
      const { status, body } = await customer.api.post<Session>(path, { variables: { name: 'Mrs. Smith' } });
      // A new engine may not have declared its capabilities yet; then the request is repeated.
      return status === 201 ? body : undefined;
    });
  const turnsOf = ({ chat_session_id: id }: Session): string => `/v1/chat-sessions/${id}/turns`;
  const write = async (session: Session, text: string): Promise<Turn> => {
    const { status, body } = await customer.api.post<Turn>(turnsOf(session), { text });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  };
  const shown = async ({ chat_session_id: id }: Session) =>
    (
      await customer.api.get<Session & { ended_reason: string; turns: { text: string }[]; cost: object }>(
        `/v1/chat-sessions/${id}`,
      )
    ).body;

  it('use the tools, the knowledge and the variables of calls, and are stored with their transcript and cost', async () => {
    const session = await begin();
    expect(session).toMatchObject({ status: 'open', first_message: 'Hello Mrs. Smith.' });
    expect(await write(session, 'Hi')).toMatchObject({ agent_text: 'You wrote 2 characters.', tool_calls: [] });
    expect(await write(session, 'Where is my order?')).toMatchObject({
      agent_text: 'Anna is on her way.',
      tool_calls: [{ name: 'find_order', outcome: 'succeeded' }],
    });
    expect(tools.requests.at(-1)).toMatchObject({
      body: { type: 'tool_call', chat_session_id: session.chat_session_id, arguments: { number: 7 } },
    });
    const [asked] = (await write(session, 'Are you open on a Saturday?')).tool_calls;
    expect(asked).toMatchObject({ name: 'query_knowledge', outcome: 'succeeded' });
    expect(asked?.result).toContain(fact);
    expect(await write(session, 'Good bye')).toMatchObject({ status: 'ended' });
    await until('the record is complete', async () => (await shown(session)).ended_reason === 'agent_hung_up');
    const record = await shown(session);
    expect(record.turns.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Hello Mrs. Smith.', 'Where is my order?', 'Anna is on her way.']),
    );
    const call = await until('the call is completed', async () => {
      const { body } = await customer.api.get<{ status: string }>(`/v1/calls/${session.call_id}`);
      return body.status === 'completed' && body;
    });
    expect(call).toMatchObject({ channel: 'chat', cost: record.cost });
    expect((await customer.api.post(turnsOf(session), { text: 'Hello?' })).status).toBe(409);
    expect((await stranger.api.get(`/v1/chat-sessions/${session.chat_session_id}`)).status).toBe(404);
    expect((await stranger.api.post(turnsOf(session), { text: 'Hello?' })).status).toBe(404);
  });

  it('stream turns as server-sent events, with the whole turn at the end; a refused turn is an error and not a stream', async () => {
    const session = await begin();
    const stream = (text: string) =>
      fetch(`${platform.baseUrls[0] ?? ''}${turnsOf(session)}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${customer.key}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ text }),
      });
    const answer = await stream('Hi');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const blocks = (await answer.text()).split('\n\n').filter((block) => block.startsWith('event: '));
    const events = blocks.map((block) => {
      const [type = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
      return { type, data: JSON.parse(data) as { text?: string; agent_text?: string } };
    });
    expect(events.at(-1)).toMatchObject({
      type: 'turn',
      data: { agent_text: 'You wrote 2 characters.', status: 'open' },
    });
    const deltas = events.slice(0, -1).map(({ data }) => data.text ?? '');
    expect('You wrote 2 characters.'.startsWith(deltas.join(''))).toBe(true);
    const refused = await stream(' ');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
    const ended = await customer.api.post<Session>(`/v1/chat-sessions/${session.chat_session_id}/end`);
    expect(ended).toMatchObject({ status: 200, body: { status: 'ended', ended_reason: 'caller_hung_up' } });
    expect((await stream('Hi')).status).toBe(409);
  });

  it('work with an inactive agent; new chats and turns are refused during maintenance', async () => {
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, { status: 'inactive' })).status).toBe(200);
    const session = await begin();
    expect((await operator.put('/v1/maintenance', { active: true })).status).toBe(200);
    try {
      await until('no new work is taken', async () => {
        const { status, body } = await customer.api.post(turnsOf(session), { text: 'Hi' });
        return status === 503 && body.error === 'platform_maintenance';
      });
      const path = `/v1/agents/${customer.agentId}/chat-sessions`;
      expect(await customer.api.post(path, {})).toMatchObject({ status: 503, body: { error: 'platform_maintenance' } });
    } finally {
      await operator.put('/v1/maintenance', { active: false });
    }
    const example = requestExample('POST', '/v1/chat-sessions/{chat_session_id}/turns');
    await until('new work is taken', async () => (await customer.api.post(turnsOf(session), example)).status === 201);
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, { status: 'active' })).status).toBe(200);
  });

  it('can be used by visitors who have only a public link, until it is revoked', async () => {
    const path = `/v1/agents/${customer.agentId}/demo`;
    const { body: demo } = await customer.api.post<{ token: string }>(path, { address_limit: 1 });
    const link = `${platform.baseUrls[0] ?? ''}/chat/${demo.token}`;
    const post = async <T>(rest: string, sent: object): Promise<{ readonly status: number; readonly body: T }> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${link}/${rest}`, { method: 'POST', headers, body: JSON.stringify(sent) });
      return { status: answer.status, body: (await answer.json()) as T };
    };
    expect((await fetch(link)).status).toBe(200);
    const { status, body: session } = await post<Session>('sessions', {});
    expect([status, Object.keys(session).sort()]).toEqual([201, ['chat_session_id', 'first_message', 'status']]);
    const turns = `sessions/${session.chat_session_id}/turns`;
    expect(await post(turns, { text: 'Where is order 7?' })).toMatchObject({
      status: 201,
      body: { agent_text: 'Anna is on her way.', status: 'open' },
    });
    expect((await post(turns, { text: '' })).status).toBe(400);
    expect((await post('sessions', {})).status).toBe(429);
    expect(await shown(session)).toMatchObject({ agent_id: customer.agentId, status: 'open' });
    expect((await customer.api.get(path)).body).toMatchObject({ conversations_today: 1 });
    expect((await customer.api.delete(path)).status).toBe(200);
    expect((await post(turns, { text: 'Hi' })).status).toBe(404);
    expect((await fetch(link)).status).toBe(404);
  });

  const inBrowser = 'are had in the public page, in a frame of another site';
  (browser === undefined ? it.skip : it)(
    browser === undefined ? `${inBrowser} (not installed: chromium)` : inBrowser,
    async () => {
      const path = `/v1/agents/${customer.agentId}/demo`;
      const { body: demo } = await customer.api.post<{ token: string }>(path, { kinds: ['chat'] });
      const origin = platform.baseUrls[0] ?? '';
      const profile = mkdtempSync(join(tmpdir(), 'parley-chat-'));
      const site = otherSite();
      const { context, page, errors } = await openBrowser(browser ?? '', profile, join(profile, 'none.wav'));
      try {
        const requested: string[] = [];
        page.on('request', (request) => requested.push(new URL(request.url()).origin));
        const body = `<iframe title="Chat" src="${origin}/chat/${demo.token}" width="380" height="600"></iframe>`;
        await page.goto(await site.serve(body));
        const frame = page.frameLocator('iframe');
        await frame.getByRole('button', { name: 'Start chat' }).click();
        const lines = frame.getByRole('log').getByRole('listitem');
        await until('the agent has written first', async () => (await lines.count()) === 1);
        const message = frame.getByLabel('Message');
        expect(await frame.locator('#text:focus').count()).toBe(1);
        await message.fill('Hi');
        await message.press('Enter');
        await until('the agent has replied', async () => (await lines.count()) === 3);
        expect(await lines.nth(2).innerText()).toContain('You wrote 2 characters.');
        expect((await frame.locator('main').boundingBox())?.width).toBeLessThanOrEqual(380);
        await frame.getByRole('button', { name: 'End chat' }).click();
        const ended = 'The chat has ended.';
        await until('the end is shown', async () => (await frame.getByRole('status').innerText()) === ended);
        expect(await frame.getByRole('button', { name: 'Start chat' }).isVisible()).toBe(true);
        expect(new Set(requested)).toEqual(new Set([site.origin(), origin]));
        expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
      } finally {
        await context.close();
        site.close();
        rmSync(profile, { recursive: true, force: true });
      }
    },
  );
});
