import fc from 'fast-check';
import { request } from 'undici';
import { arbitraryOf } from './fuzz/arbitrary-of-schema';
import { Api } from './api';
import { operations, resolved, type Operation } from './fuzz/openapi';
import { created, workerKey } from './fuzz/resources';
import { gatewayScopes, World } from './fuzz/world';
import { IdentityChecks } from './identity-checks';
import { Platform } from './platform';
import { StatementLog } from './statement-log';

/**
 * Writes that respond with 403 for a record of another organization (docs/reference/keys.md#foreign-writes, docs/reference/requests.md). All others respond as
 * if it did not exist.
 */
const tellsForeign = [
  'DELETE /v1/agents/{agent_id}',
  'PATCH /v1/agents/{agent_id}',
  'PATCH /v1/agents/{agent_id}/voice-stack',
  'PATCH /v1/agent-endpoints/{agent_endpoint_id}',
  'POST /v1/api-keys/{key_id}/revoke',
];

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const byId = operations.filter(({ path }) => path.includes('{'));
const ofOrganization = byId.filter(({ path }) => path.startsWith('/v1/organizations/'));
const ofRecords = byId.filter(({ path }) => !path.startsWith('/v1/organizations/'));
const shy = ofRecords.filter((operation) => !tellsForeign.includes(nameOf(operation)));
const table = (list: readonly Operation[]): [string, Operation][] => list.map((one) => [nameOf(one), one]);

/** Changes the random part of each id in a path: the results are well-formed ids of records that do not exist. */
const absent = (text: string): string =>
  text.replace(/([a-z]+_[0-9a-hjkmnp-tv-z]{22})([0-9a-hjkmnp-tv-z]{4})/g, (_all, head: string, tail: string) =>
    tail === 'zzzz' ? `${head}yyyy` : `${head}zzzz`,
  );

/**
 * Tests docs/reference/mcp.md#organization and docs/reference/keys.md with every route of the document: a record of another organization is indistinguishable
 * from one that does not exist.
 */
describe('isolation', () => {
  let platform: Platform;
  let identityChecks: IdentityChecks;
  let theirs: World;
  let organizationId: string;
  let key: string;
  let worker: string;
  let gateway: string;
  let log: StatementLog;
  /** The records of the other organization, by the field that could contain their ids. */
  let strangers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    // A long lease: when one expires, statements about its job would be executed at an unpredictable time.
    identityChecks = await IdentityChecks.start();
    platform = await Platform.start({ leaseSeconds: 300, env: identityChecks.env });
    theirs = await World.create(platform);
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    ({ organization_id: organizationId, admin_key: key } = platform.development);
    worker = await workerKey(operator, organizationId);
    const home = { organization_id: organizationId };
    const api = operator.as(key);
    gateway = await created(api, '/v1/gateway-tokens', { ...home, deployment_name: 'stranger' }, 'token');
    const { project_id } = platform.development;
    const credential = { ...home, kind: 'stt', provider: 'deepgram', name: 'ours', secret: 'ours' };
    const template = { ...home, name: 'Ours', texts: { en: 'Hello' } };
    const agent_id = await created(api, '/v1/agents', { ...home, project_id, mode: 'hosted' }, 'agent_id');
    strangers = {
      project_id,
      agent_id,
      inbound_agent_id: agent_id,
      template_id: await created(api, '/v1/message-templates', template, 'template_id'),
      component_credential_bindings: await created(
        api,
        '/v1/component-credentials',
        credential,
        'component_credential_id',
      ),
    };
    log = await StatementLog.open(platform);
  });

  afterAll(async () => {
    await log?.close();
    await theirs?.close();
    await platform?.stop();
    await identityChecks?.close();
  });

  /** A body with only the required fields, the same each time. An organization or project in it is that of the other organization. */
  const bodyOf = (operation: Operation): object => {
    if (operation.body === undefined) return {};
    const body = arbitraryOf(operation.body, { hints: theirs.hintsFor(operation), optional: 'none' });
    return fc.sample(body, { numRuns: 1, seed: 7 })[0] as object;
  };

  /** Sends a request as the stranger: with its customer's key, or its worker's key if the route requires one. */
  const ask = async (operation: Operation, path: string, value = bodyOf(operation)) => {
    const { method, scope, body, mediaType } = operation;
    const works = scope?.startsWith('worker_jobs:') === true || scope === 'component_credentials:lease';
    const token = works ? worker : gatewayScopes.has(scope ?? '') ? gateway : key;
    const answer = await request(platform.baseUrls[0] + path, {
      method: method as 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': mediaType },
      ...(body === undefined ? {} : { body: JSON.stringify(value) }),
    });
    const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
    return { status: answer.statusCode, headers, text: await answer.body.text() };
  };

  const operatorsOnly = (status: number): boolean => status === 403;

  it.each(table(shy))(
    '%s returns the same 404 for the id of another organization as for an unknown id',
    async (_n, operation) => {
      const path = await theirs.pathOf(operation);
      const never = absent(path);
      expect(never).not.toBe(path);
      // Sent once before, so that neither of the two compared requests is the first.
      const first = await ask(operation, never);
      const [foreign, none] = [await ask(operation, path), await ask(operation, never)];
      expect(foreign).toEqual(none);
      expect(first).toEqual(none);
      if (operation.scope?.startsWith('operator:') === true) expect(operatorsOnly(foreign.status)).toBe(true);
      else expect([foreign.status, JSON.parse(foreign.text).error]).toEqual([404, 'NotFoundError']);
    },
  );

  it.each(table(shy))(
    '%s runs the same statements for the id of another organization as for an unknown id',
    async (_name, operation) => {
      const path = await theirs.pathOf(operation);
      const never = absent(path);
      const idsOf = (text: string) => [...(text.match(/[a-z]+_[0-9a-z]{26}/g) ?? []), organizationId];
      await ask(operation, never);
      const none = await log.during(() => ask(operation, never), idsOf(never));
      const foreign = await log.during(() => ask(operation, path), idsOf(path));
      expect(foreign).toEqual(none);
      if (operation.scope?.startsWith('operator:') !== true) expect(none).not.toEqual({});
    },
  );

  it.each(table(ofRecords.filter((operation) => tellsForeign.includes(nameOf(operation)))))(
    '%s refuses a record of another organization with 403 and does not disclose that organization',
    async (_name, operation) => {
      const path = await theirs.pathOf(operation);
      const foreign = await ask(operation, path);
      expect([foreign.status, JSON.parse(foreign.text)]).toEqual([
        403,
        { error: 'ForbiddenError', message: expect.not.stringContaining(theirs.customer.organizationId) },
      ]);
      expect((await ask(operation, absent(path))).status).toBe(404);
    },
  );

  it.each(table(ofOrganization))('%s is 403 for any other organization', async (_name, operation) => {
    const foreign = await ask(operation, operation.path.replace(/\{\w+\}/, theirs.customer.organizationId));
    const none = await ask(operation, operation.path.replace(/\{\w+\}/, absent(theirs.customer.organizationId)));
    expect(foreign).toEqual(none);
    expect([foreign.status, JSON.parse(foreign.text).error]).toEqual([403, 'ForbiddenError']);
  });

  const listed = operations.filter(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && parameters.some(({ name }) => name === 'project_id'),
  );
  it.each(table(listed))(
    '%s responds to a project of another organization as to one that does not exist',
    async (_name, operation) => {
      const project = theirs.customer.projectId;
      const [foreign, none] = [project, absent(project)].map((id) =>
        ask(operation, `${operation.path}?project_id=${id}`),
      );
      expect(await foreign).toEqual(await none);
      expect((await foreign)?.status).toBe(404);
    },
  );

  /** Names of fields that refer to a record. Organization ids and ids that clients choose are not included. */
  const referring = /^(project_id|from|.*_agent_id|agent_id|.*_credential_id|template_id|number_id|call_id)$/;
  // The routes of gateways are excluded: the caller of a number is not a record.
  const references = operations
    .filter(({ path }) => !path.includes('{') && !path.startsWith('/v1/gateway/'))
    .flatMap((operation) =>
      Object.keys(operation.body === undefined ? {} : (resolved(operation.body).properties ?? {}))
        .filter((name) => referring.test(name) && resolved(operation.body ?? {}).properties?.[name]?.readOnly !== true)
        .map((name): [string, Operation] => [name, operation]),
    );

  it.each(references.map(([name, operation]) => [nameOf(operation), name, operation] as const))(
    '%s with a %s of another organization in its body responds as with one that does not exist, and creates nothing',
    async (_name, field, operation) => {
      const foreign = await theirs.referenceOf(field);
      const sample = bodyOf(operation);
      const own = { organization_id: organizationId, project_id: platform.development.project_id };
      const named = Object.fromEntries(Object.entries(own).filter(([name]) => name in sample));
      const answers = [foreign, absent(foreign), foreign].map((id) =>
        ask(operation, operation.path, { ...sample, ...named, [field]: id }),
      );
      const [first, none, again] = await Promise.all(answers);
      expect(first?.text.replaceAll(foreign, 'id')).toEqual(none?.text.replaceAll(absent(foreign), 'id'));
      expect(again).toEqual(first);
      expect(first?.status).toBeGreaterThanOrEqual(400);
      expect(first?.status).toBeLessThan(500);
    },
  );

  const namedAlongside = operations
    .filter(({ path, body }) => path.includes('{') && body !== undefined)
    .flatMap((operation) =>
      Object.entries(resolved(operation.body ?? {}).properties ?? {})
        .filter(([name, schema]) => /^(project_id|.*agent_id|template_id|.*_bindings)$/.test(name) && !schema.readOnly)
        .map(([name]): [string, string, Operation] => [nameOf(operation), name, operation]),
    );

  it.each(namedAlongside)(
    '%s of an own record with a %s of another organization in its body responds as with one that does not exist',
    async (_name, field, operation) => {
      const { method } = operation;
      const [path, sample] = [await theirs.pathOf(operation), bodyOf(operation)];
      const foreign = strangers[field];
      if (foreign === undefined) throw new Error(`the strangers have nothing that ${field} could name`);
      const send = async (id: string) => {
        const named = field.endsWith('_bindings') ? { stt: id } : id;
        const answer = await theirs.apiFor(operation).request(method, path, { body: { ...sample, [field]: named } });
        return { status: answer.status, text: JSON.stringify(answer.body).replaceAll(id, 'id') };
      };
      const [first, never, again] = [await send(foreign), await send(absent(foreign)), await send(foreign)];
      expect(first).toEqual(never);
      expect(again).toEqual(first);
      expect([400, 403, 404]).toContain(first.status);
      // A review of a campaign's contact cannot be created by a request, so there is none.
      if (path.includes('/none')) return;
      // The same request with the owner's key succeeds: only the reference caused the refusal.
      const own = await theirs.apiFor(operation).request(method, path, { body: sample });
      expect([path, own.status, own.body.error]).toEqual([path, own.status < 300 ? own.status : 409, own.body.error]);
    },
  );

  it("a heartbeat for another organization's lease is answered like one for an unknown lease", async () => {
    const job = await theirs.pathOf(operations.find(({ id }) => id === 'report-worker-job') as Operation);
    const foreign = job.split('/')[3] ?? '';
    const beat = async (job_id: string) => {
      const answer = await request(`${platform.baseUrls[0]}/v1/worker-jobs/heartbeat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${worker}`, 'content-type': 'application/json' },
        body: JSON.stringify({ worker_id: 'fuzz-0', leases: [{ job_id, epoch: 1 }] }),
      });
      return [answer.statusCode, (await answer.body.text()).replaceAll(job_id, 'id')];
    };
    expect(await beat(foreign)).toEqual(await beat(absent(foreign)));
  });

  it('requests of one organization change no data of another', async () => {
    const agent = await theirs.customerApi.get(`/v1/agents/${theirs.customer.agentId}`);
    expect(agent.status).toBe(200);
    const keys = await theirs.customerApi.get<{ data: { revoked_at: string | null }[] }>('/v1/api-keys?limit=100');
    expect(keys.body.data.filter(({ revoked_at }) => revoked_at !== null)).toEqual([]);
  });
});
