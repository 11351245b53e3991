import type { Api } from '../api';
import type { Customer } from '../customer';
import { refusedWithinASecond } from '../until';
import { refusal, type World } from './world';

/** The outbound side of media gateways: what a token reaches beyond its deployment, its organization and its own life. */
export function deploymentAttacks(world: () => World): void {
  const number = '+14153000090';
  let own: Api;
  let ownTokenId: string;
  let callId: string;

  const tokenOf = async ({ api, organizationId }: Customer, deployment_name: string) => {
    const minted = await api.post('/v1/gateway-tokens', { organization_id: organizationId, deployment_name });
    expect(minted.status).toBe(201);
    world().canaries.set(`gateway ${world().canaries.size}`, String(minted.body.token));
    return { gateway: world().anonymous.as(String(minted.body.token)), id: String(minted.body.gateway_token_id) };
  };
  const ring = (gateway: Api, gateway_call_id: string, to = number) =>
    gateway.post<{ call: { call_id: string }; error?: string }>('/v1/gateway/inbound-calls', {
      ...{ to, from: '+15005550001', gateway_call_id },
    });

  beforeAll(async () => {
    const { customer, home } = world();
    const { project_id } = await world().project('Deployments');
    const agent = await customer.api.post('/v1/agents', {
      ...{ ...home, project_id, mode: 'hosted', language: 'en', recording_enabled: true },
    });
    const answered = { ...home, project_id, phone_number: number, provider: 'simulator' };
    const made = await customer.api.post('/v1/numbers', { ...answered, inbound_agent_id: agent.body.agent_id });
    expect(made.status).toBe(201);
    ({ gateway: own, id: ownTokenId } = await tokenOf(customer, 'edge-1'));
    const routed = await ring(own, 'edge-call-1');
    expect(routed.status).toBe(200);
    callId = routed.body.call.call_id;
  });

  const requests: [string, (gateway: Api) => Promise<{ status: number; body: Record<string, unknown> }>][] = [
    ['the configuration', (gateway) => gateway.get(`/v1/gateway/calls/${callId}/configuration`)],
    [
      'the lifecycle',
      (gateway) => gateway.post(`/v1/gateway/calls/${callId}/lifecycle`, { seq: 1, events: [{ type: 'answered' }] }),
    ],
    [
      'a transcript',
      (gateway) =>
        gateway.post(`/v1/gateway/calls/${callId}/artifacts`, {
          transcript: { turns: [{ speaker: 'agent', text: 'forged', started_ms: 0, ended_ms: 1 }] },
        }),
    ],
    [
      'a part of the recording',
      (gateway) =>
        gateway.request('PUT', `/v1/gateway/calls/${callId}/recording/parts/1`, {
          raw: Buffer.alloc(1_600, 7),
          headers: { 'content-type': 'application/octet-stream' },
        }),
    ],
    [
      'the end of the recording',
      (gateway) =>
        gateway.post(`/v1/gateway/calls/${callId}/recording/complete`, {
          ...{ parts: 1, format: 'mulaw', duration_ms: 100, sha256: 'a'.repeat(64) },
        }),
    ],
  ];

  it.each([
    ['another deployment', (): Customer => world().customer, 'edge-2'],
    ['a deployment of the same name in another organization', (): Customer => world().stranger, 'edge-1'],
  ])('a token of %s neither reads nor writes anything of a call', async (_, of, name) => {
    const { gateway } = await tokenOf(of(), name);
    for (const [what, send] of requests)
      expect([what, ...refusal(await send(gateway))]).toEqual([what, 404, 'NotFoundError']);
    expect((await world().customer.readCall(callId)).status).not.toMatch(/failed|completed|canceled/);
    expect((await own.get(`/v1/gateway/calls/${callId}/configuration`)).status).toBe(200);
  });

  it('a token of another organization routes no call to the agent of a number, and is answered as for a free number', async () => {
    const { customer, stranger } = world();
    const callsOf = async () =>
      JSON.stringify((await customer.api.get(`/v1/calls?to=${encodeURIComponent(number)}`)).body);
    const { gateway } = await tokenOf(stranger, 'edge-1');
    const before = await callsOf();
    const free = '+14153000091';
    const [theirs, none] = [await ring(gateway, 'edge-call-1'), await ring(gateway, 'edge-call-2', free)];
    // Calls that are not answered have a record of the organization whose gateway reported them.
    const shape = ({ status, body }: typeof theirs) =>
      JSON.stringify([status, body])
        .replaceAll(/call_\w{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
        .replaceAll(/edge-call-\d/g, '')
        .replaceAll(number, free);
    expect(shape(theirs)).toBe(shape(none));
    expect(theirs.body.call).toMatchObject({ organization_id: stranger.organizationId, agent_id: null });
    for (const secret of [callId, customer.organizationId, customer.projectId])
      expect(JSON.stringify(theirs.body)).not.toContain(secret);
    expect(await callsOf()).toBe(before);
  });

  it('a revoked token is 401 within a second for the calls that it routed, and for new ones', async () => {
    const { customer } = world();
    expect((await own.get(`/v1/gateway/calls/${callId}/configuration`)).status).toBe(200);
    expect((await customer.api.post(`/v1/gateway-tokens/${ownTokenId}/revoke`)).status).toBe(200);
    for (const [, send] of requests) await refusedWithinASecond(() => send(own), 'UnauthorizedError');
    expect(refusal(await ring(own, 'edge-call-3'))).toEqual([401, 'UnauthorizedError']);
    expect((await customer.readCall(callId)).status).not.toMatch(/failed|completed|canceled/);
  });
}
