import type { Api } from '../api';
import { refusal, type World } from './world';

/** Finding A7: gateway tokens that could be used to read every call, and to end calls of another deployment. */
export function gatewayAttacks(world: () => World): void {
  const number = '+14153000002';
  const tokenOf = async (deployment_name: string): Promise<Api> => {
    const body = { organization_id: world().customer.organizationId, deployment_name };
    const minted = await world().customer.api.post('/v1/gateway-tokens', body);
    expect(minted.status).toBe(201);
    world().canaries.set(deployment_name, String(minted.body.token));
    return world().anonymous.as(String(minted.body.token));
  };

  it.each([
    [['numbers:read', 'numbers:write'], 'agents:read'],
    [['numbers:write', 'agents:read'], 'calls:read'],
  ])('A7: %j mints no gateway token: it grants what %s does', async (scopes) => {
    const { api } = await world().holding(scopes);
    const body = { organization_id: world().customer.organizationId, deployment_name: 'stolen' };
    expect(refusal(await api.post('/v1/gateway-tokens', body))).toEqual([403, 'ForbiddenError']);
  });

  it('A7: a token reads and ends the calls that its own deployment routed, and no others', async () => {
    const { customer, home } = world();
    // A separate project, because the customer's calls are placed from the only number of its project.
    const { project_id } = await world().project('Incoming');
    const agent = await customer.api.post('/v1/agents', { ...home, project_id, mode: 'hosted', language: 'en' });
    const inbound_agent_id = agent.body.agent_id;
    const answered = { ...home, project_id, phone_number: number, provider: 'simulator', inbound_agent_id };
    expect((await customer.api.post('/v1/numbers', answered)).status).toBe(201);
    const [own, other] = [await tokenOf('dep-1'), await tokenOf('dep-2')];
    const incoming = { to: number, from: '+15005550001', gateway_call_id: 'attack-1' };
    const routed = await own.post<{ call: { call_id: string } }>('/v1/gateway/inbound-calls', incoming);
    expect(routed.status).toBe(200);
    const { call_id: inbound } = routed.body.call;
    const { call_id: outbound } = await customer.call('+15005550007');
    const configuration = (callId: string) => `/v1/gateway/calls/${callId}/configuration`;
    expect((await own.get(configuration(inbound))).status).toBe(200);
    for (const [api, callId] of [
      [other, inbound],
      [own, outbound],
      [other, outbound],
    ] as const) {
      expect(refusal(await api.get(configuration(callId)))).toEqual([404, 'NotFoundError']);
      const failed = { seq: 1, events: [{ type: 'failed' }] };
      const ended = await api.post(`/v1/gateway/calls/${callId}/lifecycle`, failed);
      expect([ended.status, ended.body.error]).toEqual([404, 'NotFoundError']);
    }
    expect(['failed', 'canceled']).not.toContain((await customer.readCall(inbound)).status);
    expect((await customer.api.post(`/v1/calls/${outbound}/cancel`)).status).toBeLessThan(300);
  });
}
