import { newId } from '@parley/runtime';
import { customerCaller, eventually, testSink, type TestSink } from '@parley/testing';
import { routes } from '@parley/contract';
import { serviceCaller } from '@parley/runtime';
import { type Replica, type TestEvent, webhooksBench, type WebhooksBench } from './webhooks-bench';

describe('erasure of events', () => {
  let bench: WebhooksBench;
  let replica: Replica;
  let sink: TestSink;
  const secret = 'grue-bleen';
  const [least, most] = ['evt_00000000000000000000000000', 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz'];

  beforeAll(async () => {
    bench = await webhooksBench();
    replica = await bench.replica();
    // Echoes the request body, like servers that quote a rejected request.
    sink = await testSink(({ body }) => ({ status: 500, body }));
  });
  afterAll(async () => {
    await bench.close();
    await sink.close();
  });

  const erase = (
    resources: readonly { resourceId: string; firstEventId?: string; lastEventId?: string }[],
    organizationId = bench.organizationId,
  ) =>
    replica.client
      .eraseEvents(
        {
          organizationId,
          resources: resources.map((one) => ({ firstEventId: least, lastEventId: most, ...one })),
        },
        bench.context(serviceCaller),
      )
      .then(({ events }) => events);
  const payloadOf = async ({ id }: TestEvent): Promise<Record<string, unknown> | undefined> => {
    const { rows } = await bench.db.query<{ payload: string }>({
      text: 'select payload from events where id = $1',
      values: [id],
    });
    return rows[0] && (JSON.parse(rows[0].payload) as Record<string, unknown>);
  };
  const published = async (resourceId: string, type: 'call.created' | 'call.ended' = 'call.created') => {
    const data = { call_id: resourceId, to: '+15005550006', variables: { ssn: secret } };
    const event = await bench.publish(type, { resource_id: resourceId, data });
    await eventually(() => payloadOf(event));
    return event;
  };

  it('keeps only the envelope of each event of the resource, returns their number, and changes no other event', async () => {
    const [mine, other] = [newId('call'), newId('call')];
    const events = [await published(mine), await published(mine, 'call.ended')];
    const kept = await published(other);
    const before = await Promise.all(events.map(payloadOf));
    expect(await erase([{ resourceId: mine }, { resourceId: newId('call') }])).toEqual([2, 0]);
    expect(await Promise.all(events.map(payloadOf))).toEqual(
      before.map((payload) => ({ ...payload, data: { erased: true } })),
    );
    expect(JSON.stringify(await payloadOf(kept))).toContain(secret);
    expect(await erase([{ resourceId: mine }])).toEqual([2]);

    const { events: logged } = await replica.client.listEvents(
      { organizationId: '', after: '', types: [], agentId: '', resourceId: '', limit: 100, waitMs: 0, fromNow: false },
      bench.context(customerCaller(bench.organizationId, ['agents:read', 'calls:read'])),
    );
    const texts = logged.map(({ payload }) => payload).filter((payload) => payload.includes(mine));
    expect(texts.map((text) => text.includes(secret))).toEqual([false, false]);
  });

  it('erases only events between the two ids, inclusive, and only of the organization', async () => {
    const resourceId = newId('call');
    const events: TestEvent[] = [];
    for (let n = 0; n < 3; n += 1) events.push(await published(resourceId));
    const [first, second, third] = events.map(({ id }) => id).sort();
    expect(await erase([{ resourceId }], newId('org'))).toEqual([0]);
    expect(await erase([{ resourceId, firstEventId: second ?? '', lastEventId: second ?? '' }])).toEqual([1]);
    expect(await erase([{ resourceId, firstEventId: second ?? '', lastEventId: third ?? '' }])).toEqual([2]);
    const erased = await Promise.all(events.map(async (event) => [event.id, (await payloadOf(event))?.['data']]));
    expect(erased.filter(([, data]) => JSON.stringify(data).includes(secret))).toEqual([[first, expect.anything()]]);
  });

  it('removes response bodies from attempts, also of a deleted endpoint', async () => {
    const resourceId = newId('call');
    const endpoints = [
      await bench.endpoint(replica, sink.url, { events: ['call.created'] }),
      await bench.endpoint(replica, sink.url, { events: ['call.created'] }),
    ];
    await published(resourceId);
    const answers = async () => {
      const { rows } = await bench.db.query<{ response_body: string }>({
        text: 'select response_body from attempts where organization_id = $1',
        values: [bench.organizationId],
      });
      return rows.map(({ response_body: body }) => body.includes(secret));
    };
    await eventually(async () => ((await answers()).filter((quotes) => quotes).length >= 2 ? true : undefined));
    const params = { agent_endpoint_id: endpoints[0]?.agent_endpoint_id ?? '' };
    await replica.request(routes.deleteAgentEndpoint, { params });
    expect(await erase([{ resourceId }])).toEqual([1]);
    expect((await answers()).filter((quotes) => quotes)).toEqual([]);
  });

  it('deletes dead letters of the resource', async () => {
    const [mine, other] = [newId('call'), newId('call')];
    const deadLetter = (resourceId: string, organizationId = bench.organizationId) =>
      bench.db.query({
        text: `insert into dead_letters (durable, event_id, subject, payload, error, deliveries, stream_seq)
               values ('d', $1, $2, convert_to($3, 'UTF8'), 'x', 1, 1)`,
        values: [newId('evt'), `events.v1.${organizationId}.call.created`, JSON.stringify({ resource_id: resourceId })],
      });
    await deadLetter(mine);
    await deadLetter(other);
    await deadLetter(mine, 'org_other');
    await erase([{ resourceId: mine }]);
    const { rows } = await bench.db.query<{ subject: string; text: string }>({
      text: `select subject, convert_from(payload, 'UTF8') as text from dead_letters`,
    });
    expect(rows.map(({ subject, text }) => [subject.includes('org_other'), text.includes(mine)]).sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('returns 401 to callers that are not services', async () => {
    const request = { organizationId: bench.organizationId, resources: [] };
    const foreign = replica.client.eraseEvents(
      request,
      bench.context(customerCaller(newId('org'), ['api_keys:write'])),
    );
    await expect(foreign).rejects.toMatchObject({ status: 401 });
  });
});
