import { AppError } from '@parley/errors';
import { documentOf, newId, type OutgoingContext } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { webhooksBench, type Replica, type WebhooksBench } from './webhooks-bench';

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

  const as = (scopes: string[], organizationId = bench.organizationId): OutgoingContext =>
    bench.context(customerCaller(organizationId, scopes));
  const create = (body: Record<string, unknown>, context = bench.context(), key = '') =>
    replica.client.createEndpoint(
      {
        organizationId: bench.organizationId,
        body: documentOf('AgentEndpoint', {
          organization_id: bench.organizationId,
          project_id: bench.projectId,
          webhook_url: hook,
          audio_stream_url: 'wss://audio.example.com/',
          ...body,
        }),
        idempotency:
          key === '' ? undefined : { key, route: 'create-endpoint', fingerprint: Buffer.from(JSON.stringify(body)) },
      },
      context,
    );
  const patch = (agentEndpointId: string, body: Record<string, unknown>, context = bench.context(), ifMatch = '') =>
    replica.client.updateEndpoint(
      {
        organizationId: context.caller?.organizationId ?? '',
        agentEndpointId,
        body: documentOf('AgentEndpointUpdate', body),
        ifMatch,
      },
      context,
    );
  const get = (agentEndpointId: string, context = bench.context()) =>
    replica.client.getEndpoint({ organizationId: context.caller?.organizationId ?? '', agentEndpointId }, context);
  const remove = (agentEndpointId: string, context = bench.context(), ifMatch = '') =>
    replica.client.deleteEndpoint(
      { organizationId: context.caller?.organizationId ?? '', agentEndpointId, ifMatch },
      context,
    );

  it('6 r1: is created with the default set and its secret once; the secret is stored sealed', async () => {
    const created = await create({ name: 'mine', events: [] });
    expect(created.secret).toMatch(/^whsec_/);
    expect(created.replayed).toBe(false);
    const endpoint = created.endpoint;
    expect([...(endpoint?.events ?? [])].sort()).toEqual([
      'call.answered',
      'call.canceled',
      'call.completed',
      'call.created',
      'call.ended',
      'call.failed',
      'media.started',
    ]);
    const read = await get(endpoint?.agentEndpointId ?? '');
    expect(read).toEqual({ ...created, secret: '' });
    const stored = await bench.db.query<{ sealed: Buffer }>({
      text: 'select sealed from endpoint_secrets where endpoint_id = $1',
      values: [endpoint?.agentEndpointId],
    });
    const key = Buffer.from(created.secret.slice('whsec_'.length), 'base64');
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.sealed.includes(key)).toBe(false);
    expect(stored.rows[0]?.sealed.includes(created.secret)).toBe(false);
  });

  it('answers a repeated Idempotency-Key with the endpoint and without its secret; another body is a conflict', async () => {
    const first = await create({ name: 'once' }, bench.context(), 'key-1');
    const [second, third] = await Promise.all([1, 2].map(() => create({ name: 'once' }, bench.context(), 'key-1')));
    expect(second).toEqual({ ...first, secret: '', replayed: true });
    expect(third).toEqual(second);
    expect(await code(create({ name: 'other' }, bench.context(), 'key-1'))).toBe('409 ConflictError');
  });

  it('refuses destinations that no production endpoint may lie at, on creation and on change', async () => {
    expect(await code(create({ webhook_url: 'http://hooks.example.com/' }))).toBe('400 BadRequestError');
    expect(await code(create({ webhook_url: 'https://127.1/' }))).toBe('400 BadRequestError');
    expect(await code(create({ audio_stream_url: 'wss://[::ffff:127.0.0.1]/' }))).toBe('400 BadRequestError');
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    expect(await code(patch(id, { webhook_url: 'https://10.0.0.1/' }))).toBe('400 BadRequestError');
    expect(await code(patch(id, { audio_stream_url: 'https://audio.example.com/' }))).toBe('400 BadRequestError');
    expect((await get(id)).endpoint).toEqual(endpoint);
  });

  it('6 r3: subscribing requires the scope of the type, on creation and on change', async () => {
    const scopes = ['agents:write', 'recordings:read'];
    expect(await code(create({ events: ['sms.received'] }, as(scopes)))).toBe('403 ForbiddenError');
    expect(await code(create({ events: ['call.extraction.ready'] }, as(scopes)))).toBe('answered');
    const { endpoint } = await create({}, as(scopes));
    const id = endpoint?.agentEndpointId ?? '';
    expect(await code(patch(id, { events: ['sms.received'] }, as(scopes)))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { events: ['sms.received'] }, as([...scopes, 'sms:read'])))).toBe('answered');
  });

  it('6 r4: changing either destination requires both scopes; what is sent back as it was is no change', async () => {
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    const next = 'https://hooks.example.com/b';
    expect(await code(patch(id, { webhook_url: next }, as(['sms:read'])))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { webhook_url: next }, as(['recordings:read'])))).toBe('403 ForbiddenError');
    expect(await code(patch(id, { audio_stream_url: 'wss://b.example.com/' }, as(['sms:read'])))).toBe(
      '403 ForbiddenError',
    );
    const kept = await patch(id, { webhook_url: hook, events: ['call.ended'] }, as(['agents:write']));
    expect(kept.endpoint).toMatchObject({ webhookUrl: hook, events: ['call.ended'] });
    const moved = await patch(id, { webhook_url: next, name: 'moved' }, as(['sms:read', 'recordings:read']));
    expect(moved.endpoint).toMatchObject({ webhookUrl: next, name: 'moved', events: ['call.ended'] });
  });

  it('6 r4: a change waits for the one before it and judges what that one left, the scopes of a new destination included', async () => {
    const { endpoint, etag } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
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
      // What would be no change of the destination a moment ago is one now.
      const answers = [
        code(patch(id, { webhook_url: hook }, as(scopes))),
        code(patch(id, { webhook_url: 'https://hooks.example.com/b' }, as(scopes))),
        code(patch(id, { name: 'late' }, as(scopes), etag)),
      ];
      await blocked();
      return { answers };
    });
    expect(await Promise.all(late.answers)).toEqual(['403 ForbiddenError', 'answered', '409 ConflictError']);
    expect((await get(id)).endpoint).toMatchObject({
      webhookUrl: 'https://hooks.example.com/b',
      events: ['call.ended'],
    });
  });

  it('6 r2: of changes at once each happens whole, one after the other', async () => {
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    const lists = [
      ['call.created'],
      ['call.ended', 'call.failed'],
      ['call.queued'],
      ['call.dialing', 'call.completed'],
    ];
    const answers = await Promise.all(lists.map((events) => patch(id, { events })));
    expect(answers.map((answer) => answer.endpoint?.events)).toEqual(lists);
    const etags = answers.map((answer) => answer.etag);
    expect(new Set(etags).size).toBe(lists.length);
    const last = await get(id);
    expect(last.endpoint?.events).toEqual(lists[etags.indexOf(last.etag)]);
  });

  it('6 r2: an empty list is refused, a list replaces the whole one', async () => {
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    expect(await code(patch(id, { events: [] }))).toBe('400 BadRequestError');
    expect(await code(patch(id, { events: ['call.nonsense'] }))).toBe('400 BadRequestError');
    expect((await patch(id, { events: ['sms.sent'] })).endpoint?.events).toEqual(['sms.sent']);
  });

  it('compares If-Match with the entity tag, which moves with every change and with nothing else', async () => {
    const { endpoint, etag } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    expect((await patch(id, { name: '' }, bench.context(), etag)).etag).toBe(etag);
    const changed = await patch(id, { name: 'new' }, bench.context(), etag);
    expect(changed.etag).not.toBe(etag);
    expect(await code(patch(id, { name: 'newer' }, bench.context(), etag))).toBe('409 ConflictError');
    expect(await code(patch(id, { name: 'newer' }, bench.context(), '*'))).toBe('answered');
  });

  it('a deletion compares If-Match, too: what changed meanwhile stays', async () => {
    const { endpoint, etag } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    const changed = await patch(id, { name: 'changed' });
    expect(await code(remove(id, bench.context(), etag))).toBe('409 ConflictError');
    expect((await get(id)).endpoint?.name).toBe('changed');
    expect(await code(remove(id, bench.context(), `"other", ${changed.etag}`))).toBe('answered');
    expect(await code(get(id))).toBe('404 NotFoundError');
  });

  it('5 r12, r13: a foreign endpoint is 404 on reads and deletion and 403 on changes, an absent one 404', async () => {
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    const foreign = bench.context(customerCaller(newId('org')));
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
    expect((await get(id)).endpoint).toEqual(endpoint);
  });

  it('lets an operator who names no organization reach every endpoint', async () => {
    const { endpoint } = await create({});
    const id = endpoint?.agentEndpointId ?? '';
    const operator = bench.context(operatorCaller);
    expect((await get(id, operator)).endpoint).toEqual(endpoint);
    expect((await patch(id, { name: 'by operator' }, operator)).endpoint?.name).toBe('by operator');
    expect(await code(remove(id, operator))).toBe('answered');
    expect(await code(get(id))).toBe('404 NotFoundError');
    expect(await code(patch(id, { name: 'x' }))).toBe('404 NotFoundError');
  });

  it('lists the newest first in pages, of one project when asked, never of another organization', async () => {
    const projectId = newId('prj');
    const made = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await create({ name, project_id: projectId })).endpoint);
    const page = (cursor: string, context = bench.context()) =>
      replica.client.listEndpoints(
        { organizationId: context.caller?.organizationId ?? '', projectId, page: { limit: 2, cursor } },
        context,
      );
    const first = await page('');
    const second = await page(first.nextCursor);
    expect([...first.endpoints, ...second.endpoints]).toEqual(made);
    expect(second.nextCursor).toBe('');
    expect((await page('', bench.context(customerCaller(newId('org'))))).endpoints).toEqual([]);
    expect(await code(page('nonsense'))).toBe('400 BadRequestError');
  });
});
