import type { World } from './world';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly result: { tools?: { name: string }[]; nextCursor?: string; isError?: boolean };
  readonly error?: { code: number };
}

/** Findings A1 and B4, and the tools of A5: what one key or a model under prompt injection can do over MCP. */
export function mcpAttacks(world: () => World): void {
  const send = async (token: string, body: unknown): Promise<Reply> => {
    const answer = await fetch(`${world().platform.baseUrls[0]}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { ...(JSON.parse(text) as Omit<Reply, 'status' | 'text'>), status: answer.status, text };
  };
  const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = (name: string, given: object = {}) =>
    send(world().customer.key, message('tools/call', { name, arguments: given }));

  it('A1: four concurrent batches of 100 lists are refused with a few bytes each', async () => {
    const { token } = await world().holding(['agents:read']);
    const batch = Array.from({ length: 100 }, (_, id) => ({ ...message('tools/list'), id }));
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(token, batch)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(500);
  });

  it('A5, B4: no tool approves, rotates secrets, tops up, or touches numbers, keys and people', async () => {
    const names: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const { result } = await send(
        world().customer.key,
        message('tools/list', cursor === undefined ? {} : { cursor }),
      );
      names.push(...(result.tools ?? []).map(({ name }) => name));
      cursor = result.nextCursor;
    }
    expect(names).toContain('place_call');
    const forbidden =
      /_review$|secret|top_up|wallet|suppress|api_key|credential|gateway_token|_number|policy|controls|^arm_|maintenance|organization|confirm|erasure|retention|people/;
    expect(names.filter((name) => forbidden.test(name))).toEqual([]);
  });

  it.each([
    'resolve_review',
    'resolve_campaign_review',
    'rotate_agent_endpoint_secret',
    'top_up_wallet',
    'mint_api_key',
  ])('A5, B4: %s cannot be called', async (name) => {
    const { error, result } = await call(name, { decision: 'approve' });
    expect([error?.code, result]).toEqual([-32602, undefined]);
  });

  it('B4: no result carries a signing secret', async () => {
    const { home, customer } = world();
    const tool = {
      type: 'webhook',
      name: 'lookup',
      description: 'Looks something up.',
      parameters: { type: 'object' },
      url: 'https://tools.example/',
      method: 'POST',
      headers: { authorization: 'Bearer mcp-header-canary' },
    };
    world().canaries.set('tool header over MCP', 'mcp-header-canary');
    const answers = [
      await call('create_agent_endpoint', {
        ...home,
        webhook_url: customer.receiver.url,
        audio_stream_url: 'wss://audio.example/',
      }),
      await call('create_agent', { ...home, mode: 'hosted', language: 'en', tools: [tool] }),
      await call('update_agent', { agent_id: customer.agentId, tools: [tool] }),
      await call('get_agent', { agent_id: customer.agentId }),
    ];
    for (const { result, text } of answers) {
      expect([result.isError ?? false, text]).toEqual([false, text]);
      expect(text).not.toMatch(/whsec_[A-Za-z0-9+/=]{8}|mcp-header-canary/);
    }
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, { tools: [] })).status).toBe(200);
  });
}
