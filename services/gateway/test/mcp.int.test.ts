import { allRoutes, customerScopes, type AnyRoute } from '@parley/contract';
import { AppError } from '@parley/errors';
import { newId } from '@parley/runtime';
import { isTool, toolNameOf } from '../src/mcp/tool';
import { BareMcp, refusal, rpc, type ListedTool } from './mcp-client';
import { foreignOrganization, organization, project } from './fake-services';
import { TestGateway } from './test-gateway';
import { argumentsOf } from './tool-samples';

const toolRoutes = allRoutes.filter(isTool);
const named: [string, AnyRoute][] = toolRoutes.map((route) => [toolNameOf(route), route]);

/** The paths that MCP tools may not use (docs/reference/mcp.md#out-of-reach). */
const forbidden =
  /^\/v1\/(numbers|wallet|api-keys|component-credentials|carrier-credentials|gateway-tokens|organizations|worker-jobs|gateway|maintenance|suppressions|projects)(\/|$)/;
const required = [
  'cancel_call',
  'create_agent',
  'create_agent_endpoint',
  'get_agent',
  'get_agent_catalog',
  'get_call',
  'get_publication',
  'get_transcript',
  'get_variables',
  'get_voice_stack',
  'get_workflow',
  'list_agents',
  'list_calls',
  'place_call',
  'preview_voice_stack',
  'publish_workflow',
  'replace_variables',
  'restore_publication',
  'save_voice_stack',
  'update_agent',
];

/** docs/reference/mcp.md#out-of-reach, docs/reference/keys.md and docs/reference/maintenance.md, for every tool. */
describe('MCP tools', () => {
  let gateway: TestGateway;
  let mcp: BareMcp;

  beforeAll(async () => {
    gateway = await TestGateway.start({ mcpPageSize: 7 });
    mcp = new BareMcp(gateway, gateway.services.token());
  });
  afterAll(() => gateway.stop());
  afterEach(() => (gateway.services.overrides = {}));

  /** RPCs to services, without verifications of the key. */
  const reached = () => gateway.services.asked.filter(({ rpc: method }) => method !== 'verifyToken');
  const executed = () => reached().length;

  const everyTool = async (client: BareMcp): Promise<{ tools: ListedTool[]; pages: number[] }> => {
    const tools: ListedTool[] = [];
    const pages: number[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await client.list(cursor);
      tools.push(...page.tools);
      pages.push(page.tools.length);
      cursor = page.nextCursor;
      if (cursor === undefined) return { tools, pages };
    }
  };

  describe('the list of tools', () => {
    it('contains exactly the allowed routes of customers, sorted and in pages', async () => {
      const { tools, pages } = await everyTool(mcp);
      const names = tools.map(({ name }) => name);
      expect(names).toEqual([...named.map(([name]) => name), 'get_agent_setting', 'save_agent_setting'].sort());
      expect(names).toEqual(expect.arrayContaining(required));
      expect(new Set(names).size).toBe(names.length);
      expect(pages.slice(0, -1).every((length) => length === 7)).toBe(true);
      expect(pages.length).toBe(Math.ceil(names.length / 7));
    });

    it('is the same for a key without scopes, for a gateway token, and on a second request', async () => {
      const { tools } = await everyTool(mcp);
      const others = [gateway.services.token({ scopes: [] }), gateway.services.gatewayToken()];
      for (const token of others) expect((await everyTool(new BareMcp(gateway, token))).tools).toEqual(tools);
      expect((await everyTool(mcp)).tools).toEqual(tools);
    });

    it('contains no tool for numbers, wallet, keys, credentials, organizations or workers', () => {
      const touching = toolRoutes.filter(({ path }) => forbidden.test(path));
      expect(touching).toEqual([]);
      expect(toolRoutes.every(({ audience }) => audience.includes('customer'))).toBe(true);
    });

    it('contains exactly the routes that are declared with a tool description', () => {
      expect(allRoutes.filter(({ tool }) => tool !== undefined)).toEqual(toolRoutes);
    });

    it('has a description, input schema and annotations for each tool', async () => {
      for (const { name, description, inputSchema, outputSchema, annotations } of (await everyTool(mcp)).tools) {
        expect([name, description.length > 20, outputSchema]).toEqual([name, true, undefined]);
        expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) });
        const route = named.find(([tool]) => tool === name)?.[1];
        // A tool for several routes.
        if (name.endsWith('_agent_setting')) continue;
        for (const [, part] of route?.path.matchAll(/\{(\w+)\}/g) ?? []) expect(inputSchema.required).toContain(part);
        expect('idempotency_key' in inputSchema.properties).toBe(
          route?.creates || 'idempotency_key' in argumentsOf(route as AnyRoute),
        );
        if (route?.method === 'GET') expect(annotations.readOnlyHint).toBe(true);
        if (route?.creates) expect(annotations.idempotentHint ?? false).toBe(false);
      }
    });
  });

  describe('a call of a tool', () => {
    it.each(named)('%s, with only its scopes, calls the same service as its route', async (name, route) => {
      const before = executed();
      const client = new BareMcp(
        gateway,
        gateway.services.token({ scopes: route.scope === null ? [] : [route.scope, ...route.alsoScopes] }),
      );
      const result = await client.call(name, argumentsOf(route));
      expect([result.isError, result.content[0]?.text]).toEqual([undefined, expect.any(String)]);
      expect(result.structuredContent).toEqual(JSON.parse(result.content[0]?.text ?? ''));
      expect(executed()).toBeGreaterThan(before);
      expect(reached().at(-1)?.request.organizationId).toBe(organization);
    });

    it.each(named)('%s without its scope fails with "missing MCP scopes" and calls no service', async (name, route) => {
      const scopes = customerScopes.filter((scope) => scope !== route.scope);
      const client = new BareMcp(gateway, gateway.services.token({ scopes }));
      const before = executed();
      expect(await client.call(name, argumentsOf(route))).toEqual({
        content: [{ type: 'text', text: `missing MCP scopes: ${route.scope}` }],
        isError: true,
      });
      expect(executed()).toBe(before);
    });

    it.each(named)(
      '%s for another organization fails with "MCP organization mismatch" and calls no service',
      async (name, route) => {
        const before = executed();
        for (const other of [foreignOrganization, '', null, 5, [organization]]) {
          expect(await mcp.call(name, { ...argumentsOf(route), organization_id: other })).toEqual({
            content: [{ type: 'text', text: 'MCP organization mismatch' }],
            isError: true,
          });
        }
        expect(executed()).toBe(before);
      },
    );

    it.each(named)('%s accepts an organization_id that is the own one or missing', async (name, route) => {
      for (const own of [{ organization_id: organization }, { organization_id: undefined }]) {
        const result = await mcp.call(name, { ...argumentsOf(route), ...own });
        expect([name, result.isError]).toEqual([name, undefined]);
        expect(reached().at(-1)?.request.organizationId).toBe(organization);
      }
    });

    it.each(named)(
      '%s with an unknown argument fails with BadRequestError and calls no service',
      async (name, route) => {
        if (route.body !== undefined) return;
        const before = executed();
        const result = await mcp.call(name, { ...argumentsOf(route), colour: 'red' });
        expect([result.isError, refusal(result).error]).toEqual([true, 'BadRequestError']);
        expect(executed()).toBe(before);
      },
    );

    it.each<[string, object, string]>([
      ['get_agent_setting', {}, 'get-agent-keys'],
      ['save_agent_setting', { value: { max_digits: 3 } }, 'replace-agent-keys'],
      ['save_agent_setting', { value: null }, 'delete-agent-keys'],
    ])('%s %j calls the route of the setting: %s', async (name, more, id) => {
      const before = reached().length;
      const result = await mcp.call(name, { agent_id: newId('agt'), setting: 'keys', ...more });
      expect(JSON.stringify(reached().slice(before))).toContain(id);
      expect(result.isError ?? false).toBe(false);
    });

    it.each([
      { setting: 'voice', value: {} },
      { setting: 'keys' },
      { setting: 'keys', value: 3 },
      { setting: 'keys', value: [] },
      { value: {} },
    ])('save_agent_setting refuses %j and calls no service', async (given) => {
      const before = executed();
      const result = await mcp.call('save_agent_setting', { agent_id: newId('agt'), ...given });
      expect([result.isError, refusal(result)]).toMatchObject([true, { error: 'BadRequestError' }]);
      expect(executed()).toBe(before);
    });

    it('save_agent_setting needs agents:write, get_agent_setting agents:read', async () => {
      const bare = new BareMcp(gateway, gateway.services.token({ scopes: [] }));
      const given = { agent_id: newId('agt'), setting: 'keys', value: {} };
      expect((await bare.call('save_agent_setting', given)).content).toMatchObject([
        { text: 'missing MCP scopes: agents:write' },
      ]);
      expect((await bare.call('get_agent_setting', given)).content).toMatchObject([
        { text: 'missing MCP scopes: agents:read' },
      ]);
    });

    it('without a valid id fails with BadRequestError that names the parameter, and calls no service', async () => {
      const before = executed();
      for (const agent_id of [undefined, '', 5, null, {}]) {
        const result = await mcp.call('get_agent', { agent_id });
        expect([result.isError, refusal(result)]).toMatchObject([true, { error: 'BadRequestError' }]);
        expect(refusal(result).message).toContain('agent_id');
      }
      expect(executed()).toBe(before);
    });

    it('that a service refuses returns the error body of REST as text, without structuredContent', async () => {
      const blockers = [{ code: 'voice_id_missing', scope: 'language:de', detail: 'd' }];
      gateway.services.overrides = {
        forwarded: {
          'save-voice-stack': async () => {
            throw new AppError('BadRequestError', 'no voice', {
              fields: { language: 'de', reason: 'voice_id_missing', blockers },
            });
          },
        },
      };
      const result = await mcp.call('save_voice_stack', { agent_id: 'agt_x', languages: ['de'] });
      expect([result.isError, 'structuredContent' in result]).toEqual([true, false]);
      const rest = await gateway.request('PATCH', '/v1/agents/agt_x/voice-stack', {
        token: gateway.services.token(),
        body: { languages: ['de'] },
      });
      expect(refusal(result)).toEqual(rest.body);
    });

    it('that fails with internal_error does not contain the cause', async () => {
      const getAgent = async () => {
        throw new Error('secret cause');
      };
      gateway.services.overrides = { forwarded: { 'get-agent': getAgent } };
      const result = await mcp.call('get_agent', { agent_id: 'agt_x' });
      expect(refusal(result)).toMatchObject({ error: 'internal_error', request_id: expect.any(String) });
      expect(JSON.stringify(result)).not.toContain('secret');
    });

    it.each([
      ['place_call', 'create-call', { agent_id: newId('agt'), to: '+14155550100' }],
      ['create_agent', 'create-agent', { project_id: project, mode: 'hosted' }],
    ])(
      'of %s forwards the idempotency key to the owning service, which stores responses',
      async (name, method, given) => {
        const keyed = async (key: string | undefined, change = {}) => {
          const result = await mcp.call(name, { ...given, ...change, idempotency_key: key });
          expect(result.content[0]?.text).toBe('{"sample":true}');
          return gateway.services.callsOf(method).at(-1)?.request.idempotency as Record<string, unknown> | undefined;
        };
        const first = await keyed('k-1');
        expect(first).toMatchObject({ key: 'k-1' });
        expect(await keyed('k-1')).toEqual(first);
        expect(await keyed('k-1', { metadata: { other: true } })).not.toEqual(first);
        expect((await keyed(undefined))?.key ?? '').toBe('');
      },
    );

    it('has the same idempotency key and fingerprint as the same request over REST', async () => {
      const given = { agent_id: newId('agt'), to: '+14155550100' };
      await mcp.call('place_call', { ...given, idempotency_key: 'k-2' });
      const body = given;
      const headers = { 'idempotency-key': 'k-2' };
      await gateway.request('POST', '/v1/calls', { token: gateway.services.token(), body, headers });
      const [byTool, byRest] = gateway.services.callsOf('create-call').slice(-2);
      expect(byTool?.request.idempotency).toEqual(byRest?.request.idempotency);
    });

    it.each([5, '', null])(
      'with the invalid idempotency key %j fails and calls no service',
      async (idempotency_key) => {
        const before = executed();
        const result = await mcp.call('place_call', { agent_id: newId('agt'), to: '+14155550100', idempotency_key });
        expect([result.isError, refusal(result).error]).toEqual([true, 'BadRequestError']);
        expect(executed()).toBe(before);
      },
    );
  });

  describe('a gateway token', () => {
    it.each(['tools/call', 'initialize', 'ping', 'server/discover', 'resources/list', 'notifications/initialized'])(
      'is refused %s with 403, without calling a service',
      async (method) => {
        const before = executed();
        const body = rpc(method, { name: 'list_agents', arguments: {} });
        const answer = await new BareMcp(gateway, gateway.services.gatewayToken()).post(body);
        expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
        expect(executed()).toBe(before);
      },
    );

    it('is refused a batch with 400, so that a call cannot be hidden after a list', async () => {
      const body = [rpc('tools/list'), rpc('tools/call', { name: 'list_agents', arguments: {} }, 2)];
      const before = executed();
      const answer = await new BareMcp(gateway, gateway.services.gatewayToken()).post(body);
      expect([answer.status, executed()]).toEqual([400, before]);
    });
  });

  describe('during maintenance', () => {
    beforeAll(() => gateway.maintenance(true, { retryAfterSeconds: 90, message: 'back at noon' }));
    afterAll(() => gateway.maintenance(false));

    it.each(named)('%s fails like its route if that creates new work, otherwise succeeds', async (name, route) => {
      const before = executed();
      const result = await mcp.call(name, argumentsOf(route));
      if (route.newWork === false) {
        expect([name, result.isError]).toEqual([name, undefined]);
        return;
      }
      expect([result.isError, 'structuredContent' in result, refusal(result)]).toEqual([
        true,
        false,
        { error: 'platform_maintenance', message: 'back at noon', retry_after_seconds: 90 },
      ]);
      expect(executed()).toBe(before);
    });

    it('update_agent succeeds if it only sets status to inactive', async () => {
      expect((await mcp.call('update_agent', { agent_id: 'agt_x', status: 'inactive' })).isError).toBeUndefined();
      expect((await mcp.call('update_agent', { agent_id: 'agt_x', status: 'inactive', name: 'x' })).isError).toBe(true);
    });
  });
});
