import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { AuditLog } from './fuzz/audit-log';
import { FuzzedCarriers } from './fuzz/carriers';
import { sendable } from './fuzz/examples';
import { invalidValuesOf } from './fuzz/invalid-values';
import { bounds, Fuzzer, runs, type Writing } from './fuzz/fuzzer';
import { oversized, hostileBody } from './fuzz/hostile';
import { observer } from './fuzz/observer';
import { examplesOf, isValid, operations as documented, webhooks, type Operation } from './fuzz/openapi';
import { expectReadBack } from './fuzz/read-back';
import { absentIds, anyQuery, pathWith, invalidQueries } from './fuzz/requests';
import type { Json } from './fuzz/shown-elsewhere';
import { World } from './fuzz/world';
import { IdentityChecks } from './identity-checks';
import { Platform } from './platform';

const named = <T extends Operation>(list: readonly T[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const takes = (header: string) => (operation: Operation) => operation.parameters.some(({ name }) => name === header);

/**
 * Operations of chats are excluded, because there is no worker for chats here, and those of jobs of simulations, because the engine would take over their
 * leases. services/telephony/test/chats.int.test.ts and services/insights/test/simulations.int.test.ts test them.
 */
const operations = documented.filter(
  ({ path }) => !path.startsWith('/v1/chat-sessions/') && !path.startsWith('/v1/simulation-jobs/{'),
);
/** Operations whose bytes need a certain content type, tested in documents.int.test.ts of knowledge and identity-checks.int.test.ts of auth. */
const takesTyped = new Set<string>(['put-knowledge-document-content', 'put-verification-document']);
const writing = operations.filter((operation): operation is Writing => operation.body !== undefined);
/** Operations whose data no call has here: the simulator produces no audio, extraction happens later, and no call is in progress. */
const needsCall = new Set<string>(['get-recording-audio', 'get-call-extraction', 'listen-to-call']);
const answered = operations.filter(({ id }) => !needsCall.has(id) && !takesTyped.has(id));
const reading = answered.filter(({ method }) => method === 'GET');
const withId = operations.filter(({ id, path }) => path.includes('{') && !takesTyped.has(id));
/** Operations that accept bytes instead of a JSON body. */
const takesBytes = new Set<string>([
  'put-recording-part',
  'put-gateway-recording-part',
  ...takesTyped,
  'send-live-audio',
]);
const acting = operations.filter(
  ({ id, body, method }) => body === undefined && method !== 'GET' && !takesBytes.has(id),
);

/** Operations whose bodies are accepted only in states that may not occur here. */
const needsState = new Set<string>([
  // No request can make a call wait for a review.
  'resolve-review',
  'resolve-campaign-review',
  // A number is verified by the account of a carrier or by an operator.
  'verify-number',
  // Its job belongs to a call in progress, and completion is accepted only once.
  'complete-worker-job',
  // The engine conducts no test calls, so none can start and there is no token for one.
  'create-test-call',
  // The engine conducts no chats either.
  'create-chat-session',
  'adopt-worker-job',
  // Refused with 422 until the engine has requested simulations, and with 409 while several runs are in progress.
  'create-simulation-run',
  // Its call would need a transcript, and no worker reports one here.
  'import-simulation-scenario',
  // Its parts are uploaded while the call is in progress.
  'complete-recording',
  'complete-gateway-recording',
  // Their call would have to be in progress, but the job has been completed by then.
  'open-worker-credentials',
  'lease-component-credentials',
  'begin-tool-call',
  'end-tool-call',
  'send-worker-message',
  'report-turns',
  'say-in-call',
  'press-in-call',
  'mute-in-call',
  'transfer-call',
  'request-hand-over',
  'query-worker-knowledge',
  'end-command',
  'transfer-job',
  // Requires an agent with an extraction and calls.
  'create-extraction-rerun',
]);

/** Operations that the bodies before may have brought into a state in which they are refused with 409. */
const dependsOnBefore = new Set<string>([
  'rotate-agent-tool-secret',
  'rotate-agent-secret',
  'rotate-agent-endpoint-secret',
  'create-workflow-draft',
  'save-workflow-draft',
  'publish-workflow',
]);

const withoutSecret = (body: Json): Json => ({ ...body, secret: null, auth_token: null, token: null });

/** Whether the text is longer than the limit of any body if each character takes four bytes. */
const isHuge = (what: string): boolean => 4 * Number(/\((\d+) characters\)$/.exec(what)?.[1] ?? 0) > 1024 * 1024;

/** Tests every documented route, including new ones, with requests generated from the schemas. */
describe('schema fuzz', () => {
  let platform: Platform;
  let identityChecks: IdentityChecks;
  let world: World;
  let fuzzer: Fuzzer;
  /** The first accepted body of each operation. */
  const accepted = new Map<string, Json>();

  beforeAll(async () => {
    // All webhooks of carriers are sent from one address here, thousands of them.
    const limits = {
      ENGINE_CAPACITY: '1',
      ENGINE_CHATS: '0',
      CARRIER_REQUESTS_PER_MINUTE: '1000000',
      PREVIEWS_PER_MINUTE: '1000000',
      ORGANIZATION_PREVIEWS_PER_MINUTE: '1000000',
    };
    identityChecks = await IdentityChecks.start();
    const env = { ...limits, ...identityChecks.env };
    platform = await Platform.start({ leaseSeconds: 300, env });
    world = await World.create(platform);
    fuzzer = new Fuzzer(world);
  });

  afterAll(async () => {
    await world?.close();
    await platform?.stop();
    await identityChecks?.close();
  });

  it.each(named(writing))(
    '%s: a body that the schema allows can be read back, or is refused without a change',
    async (_, operation) => {
      const path = await world.pathOf(operation);
      const look = await observer(world, operation);
      await fc.assert(
        fc.asyncProperty(fuzzer.validBody(operation), async (body) => {
          const before = await look();
          const answer = await fuzzer.ask(operation, path, body);
          if (answer.status < 300) {
            if (!accepted.has(operation.id)) accepted.set(operation.id, body);
            await expectReadBack(world, operation, body, answer);
          } else expect(await look()).toBe(before);
        }),
        bounds,
      );
      if (!accepted.has(operation.id) && !needsState.has(operation.id))
        throw new Error(`no body was accepted: give hints in e2e/fuzz/world.ts, or name ${operation.id} in needsState`);
    },
  );

  it.each(named(writing))('%s: the example of the document is accepted', async (_, operation) => {
    const path = await world.pathOf(operation);
    const examples = examplesOf(operation.body);
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const answer = await fuzzer.ask(operation, path, await sendable(world, operation, example));
      // Where a state is needed that does not occur here, the refusal must not concern the body.
      const expected = dependsOnBefore.has(operation.id) && answer.status === 409;
      const isRefused = answer.status >= 300 && !expected && !needsState.has(operation.id);
      if (isRefused || answer.body?.error === 'BadRequestError')
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    }
  });

  it.each(named(writing))(
    'BadRequestError: %s: a body that is invalid by the schema changes nothing',
    async (_, operation) => {
      const failures = invalidValuesOf(operation.body, world.hintsFor(operation));
      expect(failures.length).toBeGreaterThan(0);
      const statuses = await fuzzer.statusesOf(operation, failures);
      // Whether the caller may access the named organization or project is checked before the fields, and so is the size of the body.
      const allowed = (what: string) =>
        /^(organization|project)_id /.test(what) ? [400, 403, 404] : isHuge(what) ? [400, 413] : [400];
      expect(statuses.filter(([what, status]) => !allowed(what).includes(status))).toEqual([]);
    },
  );

  it.each(named(writing))('%s: a valid body with one invalid field is rejected', async (_, operation) => {
    const base = accepted.get(operation.id) ?? {};
    const spoilt = invalidValuesOf(operation.body, world.hintsFor(operation))
      .map(({ what, body }) => ({ what, body: { ...base, ...body } }))
      .filter(({ body }) => !isValid(operation.body, body));
    const statuses = await fuzzer.statusesOf(operation, spoilt);
    expect(statuses.filter(([, status]) => status < 400)).toEqual([]);
  });

  it.each(named(writing))('%s: NUL, lone surrogates, __proto__ and deep nesting are 400', async (_, operation) => {
    const path = await world.pathOf(operation);
    await fuzzer.expectNoChange(operation, () =>
      fc.assert(
        fc.asyncProperty(hostileBody(fuzzer.validBody(operation)), async (body) => {
          expect((await fuzzer.ask(operation, path, body)).status).toBe(400);
        }),
        bounds,
      ),
    );
  });

  it.each(named(writing))('%s: a text of hundreds of kilobytes causes no server error', async (_, operation) => {
    const path = await world.pathOf(operation);
    await fc.assert(
      fc.asyncProperty(oversized(fuzzer.validBody(operation)), async (body) => {
        await fuzzer.ask(operation, path, body);
      }),
      { ...bounds, numRuns: Math.ceil(runs / 5) },
    );
  });

  it.each(named(answered))('%s: a query parameter that is not in the document is 400', async (_, operation) => {
    const path = await world.pathOf(operation);
    const body = accepted.get(operation.id) ?? (operation.body === undefined ? undefined : {});
    await fuzzer.expectNoChange(operation, async () => {
      const asked = invalidQueries(operation).map(
        async (query) => [query, (await fuzzer.ask(operation, `${path}?${query}`, body)).status] as const,
      );
      expect((await Promise.all(asked)).filter(([, status]) => status !== 400)).toEqual([]);
      if (!world.isOfCustomer(operation)) return;
      const foreign = await fuzzer.ask(operation, `${path}?organization_id=${world.foreignOrganizationId}`, body);
      expect(foreign.status).toBe(403);
    });
  });

  it.each(named(reading))('%s: no query causes a server error', async (_, operation) => {
    const path = await world.pathOf(operation);
    expect((await fuzzer.ask(operation, path)).status).toBe(200);
    await fc.assert(
      fc.asyncProperty(anyQuery(operation), async (query) => {
        const { status } = await fuzzer.ask(operation, `${path}?${query}`);
        expect([200, 400, 403, 404]).toContain(status);
      }),
      bounds,
    );
  });

  it.each(named(withId))('NotFoundError: %s: an id that cannot exist', async (_, operation) => {
    const body = operation.body === undefined ? fc.constant(undefined) : fuzzer.validBody(operation as Writing);
    await fc.assert(
      fc.asyncProperty(absentIds, body, async (id, sent) => {
        const { status } = await fuzzer.ask(operation, pathWith(operation, id), sent);
        // Whether the caller may access an organization is checked before whether it exists.
        expect(operation.path.includes('{organization_id}') ? [403, 404] : [404]).toContain(status);
      }),
      bounds,
    );
  });

  it.each(named(operations.filter(takes('If-Match'))))('%s: a stale If-Match is 409', async (_, operation) => {
    const path = await world.pathOf(operation);
    await fuzzer.expectNoChange(operation, async () => {
      for (const tag of ['"stale"', '"0"', '"-1"', '"99999999999999999999"', '"\\u00ff"']) {
        const headers = { 'if-match': tag };
        expect((await fuzzer.ask(operation, path, accepted.get(operation.id), headers)).status).toBe(409);
      }
    });
  });

  it.each(named(writing.filter(takes('Idempotency-Key'))))(
    '%s: an Idempotency-Key creates once',
    async (_, operation) => {
      const path = await world.pathOf(operation);
      const body = fuzzer.validBody(operation);
      await fc.assert(
        fc.asyncProperty(body, body, fc.uuid(), async (sent, other, key) => {
          const headers = { 'idempotency-key': key };
          const first = await fuzzer.ask(operation, path, sent, headers);
          if (first.status !== 201) return;
          await fuzzer.expectNoChange(operation, async () => {
            const second = await fuzzer.ask(operation, path, sent, headers);
            expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
            expect(first.body).toMatchObject(second.body);
            // Requests that differ only in secrets count as the same request.
            if (isDeepStrictEqual(withoutSecret(sent), withoutSecret(other))) return;
            // The other body may violate a rule about several fields, which is reported before the conflict.
            expect([400, 409]).toContain((await fuzzer.ask(operation, path, other, headers)).status);
          });
        }),
        { ...bounds, numRuns: Math.ceil(runs / 4) },
      );
    },
  );

  it.each(named(acting))('%s: accepts only an empty body', async (_, operation) => {
    const path = await world.pathOf(operation);
    const named = await fuzzer.ask(operation, path, { no_such_field: 1 });
    expect([named.status, named.body]).toMatchObject([
      400,
      { errors: [{ path: 'no_such_field', code: 'unknown_field' }] },
    ]);
    for (const body of [{}, undefined]) await fuzzer.ask(operation, path, body);
  });

  it('every successful response has the same structure as the example in the document', () => {
    expect(fuzzer.successes.differences).toEqual([]);
    // Operations without a body, such as cancellations, need states that may not occur here.
    const certain = answered.filter(({ method, body }) => method === 'GET' || body !== undefined);
    const never = certain.filter((operation) => operation.answer !== undefined && !fuzzer.successes.has(operation));
    expect(never.map(({ id }) => id).filter((id) => !needsState.has(id))).toEqual([]);
  });

  it('every operation that succeeded is in the audit log with an action that its route declares, and with no other', async () => {
    const log = await AuditLog.open(platform);
    try {
      expect(await log.unrecorded(fuzzer.succeeded)).toEqual([]);
      expect(await log.undeclared()).toEqual([]);
    } finally {
      await log.close();
    }
  });

  describe('webhooks of carriers', () => {
    let carriers: FuzzedCarriers;

    beforeAll(async () => {
      carriers = await FuzzedCarriers.create(platform, world);
    });

    /** The records of incoming calls and messages. A call that no worker conducts ends by itself, so that only its id is compared. */
    const received = async (): Promise<unknown> => {
      const [calls, messages] = await Promise.all(
        ['/v1/calls', '/v1/messages'].map((path) => world.customerApi.get(`${path}?direction=inbound&limit=100`)),
      );
      return [(calls?.body.data as readonly Json[]).map(({ call_id: id }) => id), messages?.body];
    };
    const asked = webhooks.flatMap((webhook) => webhook.paths.map((path) => [path, webhook] as const));

    it('there are four, two of which the simulator also has', () => {
      expect(asked.map(([path]) => path).sort()).toEqual([
        '/v1/carriers/simulator/messages',
        '/v1/carriers/simulator/statuses',
        '/v1/carriers/twilio/call-statuses',
        '/v1/carriers/twilio/calls',
        '/v1/carriers/twilio/messages',
        '/v1/carriers/twilio/statuses',
      ]);
    });

    it.each(asked)(
      'POST %s: a valid signed form is not 400, and gets the same response when it is sent again',
      async (path, hook) => {
        await fc.assert(
          fc.asyncProperty(carriers.formsOf(path, hook), async (form) => {
            const { status } = await carriers.ask(path, form);
            expect([200, 404, 409]).toContain(status);
            const before = await received();
            expect((await carriers.ask(path, form)).status).toBe(status);
            expect(await received()).toEqual(before);
          }),
          bounds,
        );
      },
    );

    it.each(asked)('POST %s: a form that is invalid by the schema is 400 and changes nothing', async (path, hook) => {
      const failures = carriers.invalidValuesOf(path, hook);
      expect(failures.length).toBeGreaterThan(0);
      const before = await received();
      const statuses = await Promise.all(
        failures.map(async ({ what, form }) => [what, (await carriers.ask(path, form)).status] as const),
      );
      expect(statuses.filter(([, status]) => status !== 400)).toEqual([]);
      expect(await received()).toEqual(before);
    });

    it.each(asked)('POST %s: a wrong or missing signature is 401 and changes nothing', async (path, hook) => {
      const before = await received();
      await fc.assert(
        fc.asyncProperty(carriers.formsOf(path, hook), fc.base64String({ maxLength: 40 }), async (form, signature) => {
          expect((await carriers.ask(path, form, signature)).status).toBe(401);
        }),
        bounds,
      );
      expect(await received()).toEqual(before);
    });
  });
});
