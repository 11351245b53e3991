import { routes, type AnyRoute } from '@parley/contract';
import { AppError } from '@parley/errors';
import { newId, type OutgoingContext } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller, type PublicTestRequest } from '@parley/testing';
import { type Replica, webhooksBench, type WebhooksBench } from './webhooks-bench';

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
  );

describe('agent endpoints', () => {
  let bench: WebhooksBench;
  let replica: Replica;
  const hook = 'https://hooks.example.com/a';

  beforeAll(async () => {
    bench = await webhooksBench();
    replica = await bench.replica({ passive: true, development: false });
  });
  afterAll(() => bench.close());

  const as = (scopes: string[]) => ({ caller: customerCaller(bench.organizationId, scopes) });
  type Sent = Pick<PublicTestRequest, 'caller' | 'key' | 'ifMatch'>;
  const create = async (fields: Record<string, unknown>, sent: Sent = {}) => {
    const answer = await replica.request(routes.createAgentEndpoint, {
      ...sent,
      body: {
        organization_id: bench.organizationId,
        project_id: bench.projectId,
        webhook_url: hook,
        audio_stream_url: 'wss://audio.example.com/',
        ...fields,
      },
    });
    const { secret, ...endpoint } = answer.body;
    return { ...answer, endpoint, secret, id: endpoint.agent_endpoint_id };
  };
  const paramsOf = (id: string) => ({ params: { agent_endpoint_id: id } });
  const patch = (id: string, body: object, sent: Sent = {}) =>
    replica.request(routes.updateAgentEndpoint, { ...paramsOf(id), ...sent, body });
  const get = (id: string, sent: Sent = {}) => replica.request(routes.getAgentEndpoint, { ...paramsOf(id), ...sent });
  const remove = (id: string, sent: Sent = {}) =>
    replica.request(routes.deleteAgentEndpoint, { ...paramsOf(id), ...sent });

  it('are created with the default event types; the secret is returned once and stored encrypted', async () => {
    const { endpoint, secret = '', id, etag, replayed } = await create({ name: 'mine', events: [] });
    expect(secret).toMatch(/^whsec_/);
    expect(replayed).toBe(false);
    expect(endpoint.events.toSorted()).toEqual([
      'call.answered',
      'call.canceled',
      'call.completed',
      'call.created',
      'call.ended',
      'call.failed',
      'media.started',
    ]);
    const read = await get(id);
    expect(read.body).toEqual(endpoint);
    expect(read.etag).toBe(etag);
    const stored = await bench.db.query<{ sealed: Buffer }>({
      text: 'select sealed from endpoint_secrets where endpoint_id = $1',
      values: [id],
    });
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.sealed.includes(key)).toBe(false);
    expect(stored.rows[0]?.sealed.includes(secret)).toBe(false);
  });

  it('a repeated Idempotency-Key returns the endpoint without its secret; a different body returns 409', async () => {
    const first = await create({ name: 'once' }, { key: 'key-1' });
    const [second, third] = await Promise.all([1, 2].map(() => create({ name: 'once' }, { key: 'key-1' })));
    expect(second).toMatchObject({ body: first.endpoint, etag: first.etag, replayed: true });
    expect(second?.body).not.toHaveProperty('secret');
    expect(third).toEqual(second);
    expect(await code(create({ name: 'other' }, { key: 'key-1' }))).toBe('409 ConflictError');
  });

  it('findAudioStream returns the audio address of a project’s only endpoint, only to its organization', async () => {
    const [project, other] = [newId('prj'), newId('prj')];
    const audioOf = async (projectId: string, organizationId = bench.organizationId) => {
      const context = bench.context(customerCaller(organizationId, ['agents:read']));
      return (await replica.client.findAudioStream({ organizationId, projectId }, context)).url;
    };
    expect(await audioOf(project)).toBe('');
    const { id } = await create({ project_id: project, audio_stream_url: 'wss://audio.example.com/one' });
    await create({ project_id: other, audio_stream_url: 'wss://audio.example.com/other' });
    expect(await audioOf(project)).toBe('wss://audio.example.com/one');
    expect(await audioOf(project, newId('org'))).toBe('');
    // One that was created without recordings:read neither takes the place of the first nor makes it ambiguous.
    const weak = await create(
      { project_id: project, audio_stream_url: 'wss://audio.example.com/weak' },
      as(['agents:write']),
    );
    expect(await audioOf(project)).toBe('wss://audio.example.com/one');
    const second = await create({ project_id: project, audio_stream_url: 'wss://audio.example.com/two' });
    expect(await audioOf(project)).toBe('');
    await remove(id);
    expect(await audioOf(project)).toBe('wss://audio.example.com/two');
    await remove(second.id);
    expect(await audioOf(project)).toBe('');
    expect(await code(patch(weak.id, { name: 'ours' }))).toBe('answered');
    expect(await audioOf(project)).toBe('wss://audio.example.com/weak');
  });

  it('reject private and unencrypted destinations, on creation and on change', async () => {
    expect(await code(create({ webhook_url: 'http://hooks.example.com/' }))).toBe('400 BadRequestError');
    expect(await code(create({ webhook_url: 'https://127.1/' }))).toBe('400 BadRequestError');
    expect(await code(create({ audio_stream_url: 'wss://[::ffff:127.0.0.1]/' }))).toBe('400 BadRequestError');
    const { endpoint, id } = await create({});
    expect(await code(patch(id, { webhook_url: 'https://10.0.0.1/' }))).toBe('400 BadRequestError');
    expect(await code(patch(id, { audio_stream_url: 'https://audio.example.com/' }))).toBe('400 BadRequestError');
    expect((await get(id)).body).toEqual(endpoint);
  });

  it('a subscription requires the scope of the event type, on creation and on change', async () => {
    const scopes = ['agents:write', 'recordings:read'];
    expect(await code(create({ events: ['sms.received'] }, as(scopes)))).toBe('403 ForbiddenError');
    expect(await code(create({ events: ['call.extraction.ready'] }, as(scopes)))).toBe('answered');
    const { id } = await create({}, as(scopes));
    expect(await code(patch(id, { events: ['sms.received'] }, as(scopes)))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { events: ['sms.received'] }, as([...scopes, 'sms:read'])))).toBe('answered');
  });

  it.each(['sms.sent', 'sms.delivery_updated', 'sms.translation.ready', 'sms.translation.failed'])(
    'subscribing to %s requires sms:read, on creation and on change',
    async (type) => {
      const scopes = ['agents:write', 'recordings:read', 'calls:read'];
      expect(await code(create({ events: [type] }, as(scopes)))).toBe('403 ForbiddenError');
      const { id } = await create({}, as(scopes));
      expect(await code(patch(id, { events: [type] }, as(scopes)))).toBe('403 ForbiddenError');
      expect(await code(patch(id, { events: [type] }, as([...scopes, 'sms:read'])))).toBe('answered');
    },
  );

  it('are limited to 20 per organization, also with concurrent requests; a deletion makes room for another', async () => {
    const limited = [
      await bench.replica({ passive: true, maxEndpoints: 20 }),
      await bench.replica({ passive: true, maxEndpoints: 20 }),
    ];
    const organizationId = newId('org');
    const one = (n: number) =>
      (limited[n % 2] ?? replica).request(routes.createAgentEndpoint, {
        caller: customerCaller(organizationId),
        body: {
          organization_id: organizationId,
          project_id: bench.projectId,
          webhook_url: hook,
          audio_stream_url: 'wss://audio.example.com/',
        },
      });
    const first = await one(0);
    const codes = await Promise.all(Array.from({ length: 24 }, (_, n) => code(one(n))));
    expect(codes.filter((one) => one === 'answered')).toHaveLength(19);
    expect(codes.filter((one) => one === '409 ConflictError')).toHaveLength(5);
    await remove(first.body.agent_endpoint_id, { caller: customerCaller(organizationId) });
    expect(await code(one(0))).toBe('answered');
    expect(await code(one(1))).toBe('409 ConflictError');
    expect(await code(create({}))).toBe('answered');
  });

  it('write an audit event with client address and user agent for each creation, change and deletion, without paths and secrets', async () => {
    const active = await bench.replica();
    const client = { address: '192.0.2.7', userAgent: 'curl/8' };
    const send = <R extends AnyRoute>(route: R, request: PublicTestRequest<R>) =>
      active.request(route, { client, ...request });
    const { body } = await send(routes.createAgentEndpoint, {
      body: {
        organization_id: bench.organizationId,
        project_id: bench.projectId,
        webhook_url: `${hook}?token=HIDDEN`,
        audio_stream_url: 'wss://audio.example.com/',
        events: ['call.ended'],
      },
    });
    const params = { agent_endpoint_id: body.agent_endpoint_id };
    await send(routes.updateAgentEndpoint, { params, body: { events: ['call.ended'] } });
    await send(routes.updateAgentEndpoint, {
      params,
      body: { webhook_url: 'https://b.example.com/HIDDEN', name: 'n' },
    });
    await send(routes.deleteAgentEndpoint, { params });
    const acts = await eventually(async () => {
      const own = (await bench.acts()).filter(({ subject }) => subject === body.agent_endpoint_id);
      return own.length >= 3 ? own : undefined;
    });
    expect(acts.map(({ action, detail }) => [action, detail])).toEqual([
      [
        'agent_endpoint.created',
        { webhook_host: 'hooks.example.com', audio_stream_host: 'audio.example.com', events: ['call.ended'] },
      ],
      [
        'agent_endpoint.updated',
        { fields: ['name', 'webhook_url'], webhook_host: 'b.example.com', audio_stream_host: 'audio.example.com' },
      ],
      ['agent_endpoint.deleted', { webhook_host: 'b.example.com' }],
    ]);
    for (const act of acts) {
      expect(act).toMatchObject({
        organization_id: bench.organizationId,
        actor_key_id: customerCaller(bench.organizationId).keyId,
        client_address: '192.0.2.7',
        user_agent: 'curl/8',
      });
    }
    expect(JSON.stringify(acts)).not.toMatch(/HIDDEN|whsec_/);
    await active.stop();
  });

  it('changing a destination requires sms:read and recordings:read; sending back the current one does not', async () => {
    const { id } = await create({});
    const next = 'https://hooks.example.com/b';
    expect(await code(patch(id, { webhook_url: next }, as(['sms:read'])))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { webhook_url: next }, as(['recordings:read'])))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { audio_stream_url: 'wss://b.example.com/' }, as(['sms:read'])))).toBe(
      '403 ForbiddenError',
    );
    const kept = await patch(id, { webhook_url: hook, events: ['call.ended'] }, as(['agents:write']));
    expect(kept.body).toMatchObject({ webhook_url: hook, events: ['call.ended'] });
    const moved = await patch(id, { webhook_url: next, name: 'moved' }, as(['sms:read', 'recordings:read']));
    expect(moved.body).toMatchObject({ webhook_url: next, name: 'moved', events: ['call.ended'] });
  });

  it('a change waits for a concurrent one and checks scopes against its result', async () => {
    const { id, etag } = await create({});
    const scopes = ['agents:write'];
    const blocked = () =>
      eventually(async () => {
        const { rows } = await bench.db.query({
          text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        return rows.length > 0 ? true : undefined;
      });
    const late = await bench.db.transaction(async (tx) => {
      await tx.query({
        text: `update endpoints set webhook_url = 'https://hooks.example.com/b', events = '{call.ended}', revision = revision + 1
          where id = $1`,
        values: [id],
      });
      // After the concurrent change, sending the old destination is a change.
      const answers = [
        code(patch(id, { webhook_url: hook }, as(scopes))),
        code(patch(id, { webhook_url: 'https://hooks.example.com/b' }, as(scopes))),
        code(patch(id, { name: 'late' }, { ...as(scopes), ifMatch: etag })),
      ];
      await blocked();
      return { answers };
    });
    expect(await Promise.all(late.answers)).toEqual(['403 ForbiddenError', 'answered', '409 ConflictError']);
    expect((await get(id)).body).toMatchObject({
      webhook_url: 'https://hooks.example.com/b',
      events: ['call.ended'],
    });
  });

  it('concurrent changes are applied one after another, each completely', async () => {
    const { id } = await create({});
    const lists = [
      ['call.created'],
      ['call.ended', 'call.failed'],
      ['call.queued'],
      ['call.dialing', 'call.completed'],
    ];
    const answers = await Promise.all(lists.map((events) => patch(id, { events })));
    expect(answers.map((answer) => answer.body.events)).toEqual(lists);
    const etags = answers.map((answer) => answer.etag);
    expect(new Set(etags).size).toBe(lists.length);
    const last = await get(id);
    expect(last.body.events).toEqual(lists[etags.indexOf(last.etag)]);
  });

  it('an empty list of events returns 400; a list replaces the previous one', async () => {
    const { id } = await create({});
    expect(await code(patch(id, { events: [] }))).toBe('400 BadRequestError');
    expect(await code(patch(id, { events: ['call.nonsense'] }))).toBe('400 BadRequestError');
    expect((await patch(id, { events: ['sms.sent'] })).body.events).toEqual(['sms.sent']);
  });

  it('If-Match is compared with the ETag, which changes only with the endpoint', async () => {
    const { id, etag } = await create({});
    expect((await patch(id, { name: '' }, { ifMatch: etag })).etag).toBe(etag);
    const changed = await patch(id, { name: 'new' }, { ifMatch: etag });
    expect(changed.etag).not.toBe(etag);
    expect(await code(patch(id, { name: 'newer' }, { ifMatch: etag }))).toBe('409 ConflictError');
    expect(await code(patch(id, { name: 'newer' }, { ifMatch: '*' }))).toBe('answered');
  });

  it('DELETE also compares If-Match: an endpoint that changed in the meantime is not deleted', async () => {
    const { id, etag } = await create({});
    const changed = await patch(id, { name: 'changed' });
    expect(await code(remove(id, { ifMatch: etag }))).toBe('409 ConflictError');
    expect((await get(id)).body.name).toBe('changed');
    expect(await code(remove(id, { ifMatch: `"other", ${changed.etag}` }))).toBe('answered');
    expect(await code(get(id))).toBe('404 NotFoundError');
  });

  it('an endpoint of another organization returns 404 for GET and DELETE and 403 for PATCH; unknown ids return 404', async () => {
    const { endpoint, id } = await create({});
    const foreign = { caller: customerCaller(newId('org')) };
    const absent = newId('ep');
    expect(await code(get(id, foreign))).toBe('404 NotFoundError');
    expect(await code(patch(id, { name: 'x' }, foreign))).toBe('403 ForbiddenError');
    expect(await code(remove(id, foreign))).toBe('404 NotFoundError');
    for (const unknown of [absent, 'ep_1', '']) {
      expect(await code(get(unknown))).toBe('404 NotFoundError');
      expect(await code(patch(unknown, { name: 'x' }))).toBe('404 NotFoundError');
      expect(await code(remove(unknown))).toBe('404 NotFoundError');
    }
    expect(await code(patch(id, { project_id: newId('prj') }))).toBe('403 ForbiddenError');
    expect((await get(id)).body).toEqual(endpoint);
  });

  it('an operator who names no organization can read, change and delete any', async () => {
    const { endpoint, id } = await create({});
    const operator = { caller: operatorCaller };
    expect((await get(id, operator)).body).toEqual(endpoint);
    expect((await patch(id, { name: 'by operator' }, operator)).body.name).toBe('by operator');
    expect(await code(remove(id, operator))).toBe('answered');
    expect(await code(get(id))).toBe('404 NotFoundError');
    expect(await code(patch(id, { name: 'x' }))).toBe('404 NotFoundError');
  });

  it('are listed newest first, in pages, optionally of one project, and only for their organization', async () => {
    const projectId = newId('prj');
    const made = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await create({ name, project_id: projectId })).endpoint);
    const page = async (cursor?: string | null, sent: Sent = {}) => {
      const query = { project_id: projectId, limit: 2, cursor: cursor ?? undefined };
      return (await replica.request(routes.listAgentEndpoints, { query, ...sent })).body;
    };
    const first = await page();
    const second = await page(first.next_cursor);
    expect([...first.data, ...second.data]).toEqual(made);
    expect(second.next_cursor).toBeNull();
    expect((await page(null, { caller: customerCaller(newId('org')) })).data).toEqual([]);
    expect(await code(page('nonsense'))).toBe('400 BadRequestError');
  });

  const owned = Object.values<AnyRoute>(routes).filter(({ service }) => service === 'webhooks');
  /** Ids that do not exist, so that the status without the tenant guard would be 404. */
  const anywhere = () => ({ params: { agent_endpoint_id: newId('ep'), delivery_id: newId('dlv') } });

  const events = (context: OutgoingContext) =>
    replica.client.listEvents(
      {
        organizationId: bench.organizationId,
        after: '',
        types: [],
        agentId: '',
        resourceId: '',
        limit: 1,
        waitMs: 0,
        fromNow: false,
      },
      context,
    );

  it('every route and RPC returns 401 without a caller', async () => {
    expect(owned.length).toBeGreaterThan(10);
    for (const route of owned) {
      const { organizationId } = bench;
      const asked = replica.request(route, { ...anywhere(), caller: null, organizationId });
      expect([route.id, await code(asked)]).toEqual([route.id, '401 UnauthorizedError']);
    }
    expect(await code(events({ requestId: 'test' }))).toBe('401 UnauthorizedError');
  });

  it('every route and RPC returns 403 to a caller of another organization', async () => {
    const foreign = customerCaller(newId('org'));
    for (const route of owned) {
      const { organizationId } = bench;
      const asked = replica.request(route, { ...anywhere(), caller: foreign, organizationId });
      expect([route.id, await code(asked)]).toEqual([route.id, '403 ForbiddenError']);
    }
    expect(await code(events(bench.context(foreign)))).toBe('403 ForbiddenError');
  });
});
