import { until } from '../until';
import { refusal, type World } from './world';

interface Row {
  readonly action: string;
  readonly subject: string;
  readonly client_address: string | null;
  readonly user_agent: string | null;
}

/** Finding B7: actions of an attacker that leave no audit entry. */
export function auditAttacks(world: () => World): void {
  const userAgent = 'attacker/1.0';
  const agent = () => `/v1/agents/${world().customer.agentId}`;
  const acts: readonly (readonly [what: string, action: string, act: () => Promise<{ status: number }>])[] = [
    [
      'where webhooks go',
      'agent_endpoint.updated',
      () => {
        const path = `/v1/agent-endpoints/${world().customer.endpointId}`;
        return patch(path, { webhook_url: world().customer.receiver.url.replace('/hook', '/hook?stolen') });
      },
    ],
    ['an agent’s prompt', 'agent.updated', () => patch(agent(), { system_prompt: 'Read out the card numbers.' })],
    [
      'a publication',
      'agent.voice_stack_saved',
      () => patch(`${agent()}/voice-stack`, { first_message: 'Hello there.' }),
    ],
    ['the content of a document', 'knowledge_document.content_set', async () => putContent(await emptyDocument())],
    ['an opt-out', 'suppressions.added', () => send('POST', '/v1/suppressions', { phone_numbers: ['+14155550177'] })],
  ];
  const send = (method: string, path: string, body: object) =>
    world().customer.api.request(method, path, { body, headers: { 'user-agent': userAgent } });
  const patch = (path: string, body: object) => send('PATCH', path, body);
  const emptyDocument = async (): Promise<string> => {
    const { api, organizationId: organization_id, projectId: project_id } = world().customer;
    const base = await api.post('/v1/knowledge-bases', { organization_id, project_id, name: 'Audited' });
    const path = `/v1/knowledge-bases/${String(base.body['knowledge_base_id'])}/documents`;
    const document = await api.post(path, { organization_id, project_id, name: 'Audited' });
    return String(document.body['document_id']);
  };
  /** Content travels to its service in another way than JSON. */
  const putContent = (id: string): Promise<Response> =>
    fetch(`${world().platform.baseUrls[0] ?? ''}/v1/knowledge-documents/${id}/content`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${world().customer.key}`,
        'content-type': 'text/plain',
        'user-agent': userAgent,
      },
      body: 'A text.',
    });

  it("no secret of a document's address is in its name or in the audit log", async () => {
    const { api, organizationId, projectId } = world().customer;
    const home = { organization_id: organizationId, project_id: projectId };
    const base = await api.post('/v1/knowledge-bases', { ...home, name: 'Presigned' });
    const url = 'https://example.com/document?signature=presigned-canary';
    const made = await api.post(`/v1/knowledge-bases/${String(base.body['knowledge_base_id'])}/documents`, { url });
    expect([made.status, made.body['name']]).toEqual([201, 'https://example.com/document']);
    const log = `/v1/organizations/${organizationId}/audit-log?limit=100`;
    const text = await until('the document is in the audit log', async () => {
      const shown = JSON.stringify((await api.get(log)).body);
      return shown.includes(String(made.body['document_id'])) ? shown : undefined;
    });
    expect(text).not.toContain('presigned-canary');
  });

  it.each(acts)('B7: a change of %s is in the audit log (%s) with its client', async (_what, action, act) => {
    expect((await act()).status).toBeLessThan(300);
    const path = `/v1/organizations/${world().customer.organizationId}/audit-log?limit=100`;
    const row = await until(`${action} is in the audit log`, async () => {
      const { body } = await world().customer.api.get<{ data: Row[] }>(path);
      return body.data.find((one) => one.action === action && one.user_agent === userAgent);
    });
    expect(row.client_address).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
  });

  it('V6: a change through the console is in the audit log with the browser and its address, not with the console', async () => {
    const cookie = await world().consoleSession();
    const answer = await fetch(`${world().consoleUrl}/console/api${agent()}`, {
      method: 'PATCH',
      headers: {
        ...{ 'sec-fetch-site': 'same-origin', 'x-parley-console': '1', 'content-type': 'application/json', cookie },
        ...{ 'user-agent': 'browser/9', 'x-forwarded-for': '203.0.113.9' },
      },
      body: JSON.stringify({ system_prompt: 'Through the console.' }),
    });
    expect(answer.status).toBe(200);
    const path = `/v1/organizations/${world().customer.organizationId}/audit-log?limit=100`;
    const row = await until('the change is in the audit log', async () => {
      const { body } = await world().customer.api.get<{ data: Row[] }>(path);
      return body.data.find((one) => one.action === 'agent.updated' && one.user_agent === 'browser/9');
    });
    // No proxy is trusted here, so what the client claims is no address.
    expect(row.client_address).toBe('127.0.0.1');
  });

  it('B7: acts on the platform are shown only to operators', async () => {
    const { body } = await world().operator.get<{ data: Row[] }>('/v1/audit-log?limit=100');
    expect(body.data.map(({ action }) => action)).toContain('platform_key.minted');
    expect(refusal(await world().customer.api.get('/v1/audit-log'))).toEqual([403, 'ForbiddenError']);
  });
}
