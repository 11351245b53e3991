import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Api } from '../api';
import { operations, resolved, branchesOf, type Schema } from '../fuzz/openapi';
import { claimedJob, connectionActions, finishedDraft, workerKey } from '../fuzz/resources';
import { ModelServer } from '../spoken/model-server';
import { ToolServer } from '../spoken/tool-server';
import { until } from '../until';
import { visit } from './visit';
import type { World } from './world';

/** Names of fields that contain a secret. The value of a connection's header is recognized by the object that contains it. */
const secretName = /(^|\.)(secret|.*token|password|pin|headers|authentication\.value)$/;

/** `METHOD /path field` of each field of a request that takes a secret, according to the document. */
export const secretFields: readonly string[] = operations.flatMap(({ method, path, body }) =>
  body === undefined
    ? []
    : [...new Set(fieldsIn(body))].filter((name) => secretName.test(name)).map((name) => `${method} ${path} ${name}`),
);

function fieldsIn(schema: Schema, at = '', depth = 0): string[] {
  const { properties = {}, items } = resolved(schema);
  if (depth > 8) return [];
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => {
      const path = at === '' ? name : `${at}.${name}`;
      return inner.readOnly === true ? [] : [path, ...fieldsIn(inner, path, depth + 1)];
    }),
    ...(branchesOf(schema) ?? []).flatMap((branch) => fieldsIn(branch, at, depth + 1)),
    ...(items === undefined ? [] : fieldsIn(items, at, depth + 1)),
  ];
}

/** Plants a secret of its own in every field of a request that takes one, and uses some of them, over the public routes. */
export class Planting {
  /** The fields in which a secret was sent. */
  readonly fields = new Set<string>();
  readonly pins: string[] = [];
  private servers: { stop: () => Promise<void> }[] = [];

  constructor(private readonly world: World) {}

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** Remembers a new secret for a field. */
  private secret(field: string): string {
    this.fields.add(field);
    const value = `canary-${randomBytes(12).toString('hex')}`;
    this.world.canaries.set(`${field} ${this.world.canaries.size}`, value);
    return value;
  }

  private pin(field: string): string {
    this.fields.add(field);
    const pin = String(randomInt(100_000, 1_000_000));
    this.pins.push(pin);
    return pin;
  }

  /** Remembers a secret that an answer showed. */
  private shown(what: string, value: unknown): string {
    if (typeof value !== 'string' || value.length < 6) throw new Error(`${what} showed no secret`);
    this.world.canaries.set(what, value.replace('whsec_', ''));
    return value;
  }

  private async send(method: string, path: string, body: object, api: Api = this.world.customer.api) {
    const answer = await this.world.writes.send(api, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Sends a request that has to be refused and keeps the text of the refusal. */
  private async refused(method: string, path: string, body: object, api: Api = this.world.customer.api) {
    const { status, body: refusal } = await api.request(method, path, { body });
    if (status < 400 || status >= 500) throw new Error(`${method} ${path}: ${status} instead of a refusal`);
    this.world.refusals.push(JSON.stringify(refusal));
  }

  /** Credentials of components, carriers, trunks and connections: created, changed, and refused for another field. */
  async credentials(): Promise<void> {
    const { organization_id, project_id } = this.world.home;
    const components = '/v1/component-credentials';
    const component = (): object => ({
      ...{ organization_id, kind: 'llm', provider: 'openai', name: 'ours' },
      secret: this.secret(`POST ${components} secret`),
    });
    const stored = await this.send('POST', components, component());
    await this.refused('POST', components, { ...component(), kind: 'none' });
    await this.refused('POST', components, { ...component(), organization_id: 'org_other' });
    const replace = `${components}/{component_credential_id}`;
    await this.send('PATCH', `${components}/${String(stored.component_credential_id)}`, {
      secret: this.secret(`PATCH ${replace} secret`),
    });

    const carriers = '/v1/carrier-credentials';
    const account = (): object => ({
      ...{ organization_id, provider: 'twilio', account_sid: 'AC1' },
      auth_token: this.secret(`POST ${carriers} auth_token`),
    });
    await this.send('POST', carriers, account());
    await this.refused('POST', carriers, { ...account(), account_sid: '' });

    const trunks = '/v1/sip-trunks';
    const trunk = (): object => ({
      ...{ organization_id, name: 'Ours', host: 'a.invalid', transport: 'udp', codecs: ['pcmu'], username: 'us' },
      password: this.secret(`POST ${trunks} password`),
    });
    const { sip_trunk_id } = await this.send('POST', trunks, trunk());
    await this.refused('POST', trunks, { ...trunk(), host: 'a host' });
    await this.send('PATCH', `${trunks}/${String(sip_trunk_id)}`, {
      password: this.secret(`PATCH ${trunks}/{sip_trunk_id} password`),
    });

    const connections = '/v1/connections';
    const connection = (authentication: object): object => ({
      ...{ organization_id, project_id, name: 'Ours', base_url: 'https://a.invalid', actions: connectionActions },
      authentication,
    });
    const token = (route: string): object => ({
      type: 'bearer',
      token: this.secret(`${route} authentication.token`),
    });
    const header = (route: string): object => ({
      ...{ type: 'header', name: 'x-key' },
      value: this.secret(`${route} authentication.value`),
    });
    const { connection_id } = await this.send('POST', connections, connection(token(`POST ${connections}`)));
    await this.send('POST', connections, connection(header(`POST ${connections}`)));
    await this.refused('POST', connections, connection({ ...header(`POST ${connections}`), name: 'host' }));
    const change = `PATCH ${connections}/{connection_id}`;
    for (const authentication of [token(change), header(change)])
      await this.send('PATCH', `${connections}/${String(connection_id)}`, { authentication });
  }

  /** Headers of tools by each route that saves or previews an agent, and the signing secrets that the answers show. */
  async tools(): Promise<void> {
    const { customer, home } = this.world;
    const tool = (field: string, name = 'look_up'): object => ({
      ...{ type: 'webhook', name, description: 'Looks up.', parameters: { type: 'object' } },
      ...{ url: 'https://a.invalid/', method: 'POST' },
      headers: { authorization: `Bearer ${this.secret(field)}` },
    });
    const secretsOf = (what: string, { tools }: Record<string, unknown>): void => {
      for (const { secret } of tools as { secret?: string }[]) this.shown(`signing secret by ${what}`, secret);
    };
    const created = await this.send('POST', '/v1/agents', {
      ...{ ...home, mode: 'hosted', language: 'en' },
      tools: [tool('POST /v1/agents tools.headers')],
    });
    secretsOf('POST /v1/agents', created);
    const agent = `/v1/agents/${String(created.agent_id)}`;
    const of = (method: string, rest: string, field: string): string =>
      `${method} /v1/agents/{agent_id}${rest} ${field}`;
    await this.send('PATCH', agent, { tools: [tool(of('PATCH', '', 'tools.headers'))] });
    await this.send('PATCH', `${agent}/voice-stack`, {
      ...{ languages: ['en'], first_message: 'Hello.' },
      tools: [tool(of('PATCH', '/voice-stack', 'tools.headers'))],
    });
    await this.send('POST', `${agent}/voice-stack/preview`, {
      tools: [tool(of('POST', '/voice-stack/preview', 'tools.headers'))],
    });
    await this.refused('PATCH', agent, { tools: [tool(of('PATCH', '', 'tools.headers')), { type: 'none' }] });
    const configuration = '/v1/agents/{agent_id}/configuration';
    for (const half of ['agent', 'voice_stack']) {
      const match = String((await customer.api.get(`${agent}/configuration`)).headers.etag);
      const sent = {
        agent: {},
        voice_stack: {},
        [half]: { tools: [tool(`PUT ${configuration} ${half}.tools.headers`)] },
      };
      const saved = await this.world.writes.send(customer.api, 'PUT', `${agent}/configuration`, sent, {
        'if-match': match,
      });
      expect([saved.status, saved.body]).toEqual([200, expect.anything()]);
      const previews = '/v1/agent-previews';
      const previewed = await customer.api.post(previews, {
        ...{ agent: { ...home, mode: 'hosted', language: 'en' }, voice_stack: { languages: ['en'] } },
        [half]: { tools: [tool(`POST ${previews} ${half}.tools.headers`)] },
      });
      expect(previewed.status).toBeLessThan(500);
      this.world.refusals.push(JSON.stringify(previewed.body));
    }
    const rotated = await this.send('POST', `${agent}/tools/look_up/rotate-secret`, {});
    this.shown('rotated secret of a tool', rotated.secret);
    this.shown('secret of an agent', (await this.send('POST', `${agent}/rotate-secret`, {})).secret);
  }

  /** Secrets that the platform makes: of endpoints, keys, sessions, gateways, demos and test calls. */
  async made(): Promise<void> {
    const { customer, home } = this.world;
    const { organization_id } = home;
    const endpoint = await this.send('POST', '/v1/agent-endpoints', {
      ...home,
      webhook_url: customer.receiver.url,
      audio_stream_url: customer.receiver.url.replace('http:', 'ws:'),
    });
    this.shown('secret of an endpoint', endpoint.secret);
    const rotate = `/v1/agent-endpoints/${String(endpoint.agent_endpoint_id)}/rotate-secret`;
    this.shown('rotated secret of an endpoint', (await this.send('POST', rotate, {})).secret);
    const session = this.shown('session', (await this.send('POST', '/v1/sessions', {})).token);
    expect((await this.world.anonymous.as(session).get('/v1/me')).status).toBe(200);
    expect((await this.world.anonymous.as(session).delete('/v1/sessions')).status).toBe(200);
    await until('the session has ended', async () => {
      return (await this.world.anonymous.as(session).get('/v1/me')).status === 401;
    });
    const minted = await this.send('POST', '/v1/api-keys', { organization_id, name: 'made', scopes: ['agents:read'] });
    const key = this.shown('key of the customer', minted.token);
    expect((await this.world.anonymous.as(key).get('/v1/agents')).status).toBe(200);
    await this.demo();
    const test = await until('a test call is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/test-calls`;
      const taken = await this.world.writes.send(customer.api, 'POST', path, {});
      return taken.status === 201 ? taken.body : undefined;
    });
    const token = this.shown('token of a test call', test.token);
    const socket = new WebSocket(String(test.websocket_url), ['parley.audio.v1', `parley.token.${token}`]);
    await once(socket, 'message');
    socket.close();
    // A mistyped credential is one as well.
    const mistyped = this.secret('authorization');
    this.fields.delete('authorization');
    for (const key of [mistyped, `tai_${mistyped}`])
      expect((await this.world.anonymous.as(key).get('/v1/me')).status).toBe(401);
    const worker = this.world.anonymous.as(
      this.shown('key of a worker', await workerKey(this.world.operator, organization_id)),
    );
    const { jobId, epoch } = await claimedJob(customer, worker);
    const ofAdoption = this.secret('POST /v1/worker-jobs/adopt token');
    const adopt = { token: ofAdoption, worker_id: 'fuzz-0', capabilities: {} };
    await this.refused('POST', '/v1/worker-jobs/adopt', adopt, worker);
    const lease = { epoch };
    const opened = await this.world.writes.send(worker, 'POST', `/v1/worker-jobs/${jobId}/credentials`, lease);
    expect(opened.status).toBe(200);
  }

  /** The link of a demo, whose pages are opened, and which is replaced and closed. */
  private async demo(): Promise<void> {
    const { customer, platform } = this.world;
    const path = `/v1/agents/${customer.agentId}/demo`;
    for (const settings of [{}, { kinds: ['voice'] }]) {
      const token = this.shown('link of a demo', (await this.send('POST', path, settings)).token);
      this.world.canaries.set(`link of a demo ${this.world.canaries.size}`, token);
      expect((await fetch(`${platform.baseUrls[0] ?? ''}/demo/${token}`)).status).toBe(200);
      for (const page of ['chat', 'demo'])
        this.world.refusals.push(await (await fetch(`${platform.baseUrls[0] ?? ''}/${page}/${token}/none`)).text());
      const begun = await visit(this.world, `/demo/${token}/calls`);
      expect(begun.status).toBe(201);
      this.shown(`media token of a demo ${this.world.canaries.size}`, begun.body.token);
    }
    await this.send('DELETE', path, {});
  }

  /** PINs: an armed one that is pressed, one that is disarmed, and a wrong one. */
  async phonePins(): Promise<void> {
    const { organization_id } = this.world.home;
    const { project_id } = await this.world.project('PINs');
    const place = { organization_id, project_id };
    const { agent_id } = await this.send('POST', '/v1/agents', { ...place, mode: 'hosted', language: 'en' });
    await this.send('POST', `/v1/agents/${String(agent_id)}/workflow/draft`, { draft: finishedDraft });
    const number = '+14153000077';
    await this.send('POST', '/v1/numbers', {
      ...{ ...place, phone_number: number, provider: 'simulator', inbound_agent_id: agent_id },
    });
    const path = `/v1/agents/${String(agent_id)}/workflow/phone-pin`;
    const armed = async (): Promise<string> => {
      const { pin } = await this.send('POST', path, {});
      this.pins.push(String(pin));
      return String(pin);
    };
    await armed();
    await this.send('POST', `${path}/disarm`, {});
    const minted = await this.send('POST', '/v1/gateway-tokens', { organization_id, deployment_name: 'pins' });
    const gateway = this.world.anonymous.as(this.shown('gateway of the PINs', minted.token));
    let calls = 0;
    const calling = (pin: string): object => ({
      ...{ to: number, from: '+15005550001', pin },
      gateway_call_id: `pins-${(calls += 1)}`,
    });
    const route = '/v1/gateway/inbound-calls';
    await this.refused('POST', route, calling(this.pin(`POST ${route} pin`)), gateway);
    await this.send('POST', route, calling(await armed()), gateway);
  }

  /** A chat in which the engine uses the secret of a component, the headers of a tool and the token of a connection. */
  async chat(): Promise<void> {
    const { home, customer } = this.world;
    const models = await ModelServer.start((said, results) => {
      if (results.length > 0) return 'Done.';
      return said.includes('order')
        ? { tool: 'find', arguments: {} }
        : { tool: 'create_ticket', arguments: { queue: 'a' } };
    });
    const tools = await ToolServer.start({ '/find': { found: true }, '/tickets/a': { made: true } });
    this.servers.push(models, tools);
    const llm = this.secret('POST /v1/component-credentials secret');
    const { component_credential_id } = await this.send('POST', '/v1/component-credentials', {
      ...{ organization_id: home.organization_id, kind: 'llm', provider: 'openai_compatible', name: 'own' },
      ...{ secret: llm, base_url: models.url },
    });
    const { connection_id } = await this.send('POST', '/v1/connections', {
      ...{ ...home, name: 'Tickets', base_url: tools.url, actions: connectionActions },
      authentication: { type: 'bearer', token: this.secret('POST /v1/connections authentication.token') },
    });
    const { agent_id } = await this.send('POST', '/v1/agents', { ...home, mode: 'hosted', language: 'en' });
    await this.send('PATCH', `/v1/agents/${String(agent_id)}/voice-stack`, {
      ...{ languages: ['en'], first_message: 'Hello.', model: { provider: 'openai_compatible', model: 'own-chat' } },
      component_credential_bindings: { llm: component_credential_id },
      tools: [
        {
          ...{ type: 'webhook', name: 'find', description: 'Finds.', parameters: { type: 'object' }, method: 'POST' },
          url: `${tools.url}/find`,
          headers: { authorization: `Bearer ${this.secret('PATCH /v1/agents/{agent_id}/voice-stack tools.headers')}` },
        },
        { type: 'connection', connection_id, action: 'create_ticket' },
      ],
    });
    const session = await until('a chat is taken', async () => {
      const path = `/v1/agents/${String(agent_id)}/chat-sessions`;
      const begun = await this.world.writes.send(customer.api, 'POST', path, {});
      return begun.status === 201 ? String(begun.body.chat_session_id) : undefined;
    });
    const outcomes: unknown[] = [];
    for (const text of ['Where is my order?', 'Please open a ticket.'])
      outcomes.push((await this.send('POST', `/v1/chat-sessions/${session}/turns`, { text })).tool_calls);
    await this.send('POST', `/v1/chat-sessions/${session}/end`, {});
    // The secrets were used, so that a use that leaves a trace is found.
    expect([...models.keys]).toEqual([`Bearer ${llm}`]);
    expect([tools.requests.map(({ path }) => path), outcomes]).toEqual([['/find', '/tickets/a'], expect.anything()]);
  }
}
