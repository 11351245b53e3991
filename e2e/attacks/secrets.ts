import pg from 'pg';
import type { World } from './world';

/** Runs last, because it also searches for the secrets that the other families have sent and that were refused. */
export function secretAttacks(world: () => World): void {
  it('no planted secret stands in a log, a span, an event, an error or the database', async () => {
    const secret = 'canary-component-4711';
    world().canaries.set('component credential', secret);
    const body = {
      organization_id: world().customer.organizationId,
      kind: 'llm',
      provider: 'openai',
      name: 'ours',
      secret,
    };
    expect(
      (await world().customer.api.post('/v1/component-credentials', body, { 'idempotency-key': 'canary' })).status,
    ).toBe(201);
    for (const wrong of [
      { kind: 'none' },
      { name: '' },
      { organization_id: world().platform.development.organization_id },
    ]) {
      world().refusals.push(
        JSON.stringify((await world().customer.api.post('/v1/component-credentials', { ...body, ...wrong })).body),
      );
    }
    const auth_token = 'canary-carrier-4712';
    world().canaries.set('carrier token', auth_token);
    const account = {
      organization_id: world().customer.organizationId,
      provider: 'twilio',
      account_sid: 'AC1',
      auth_token,
    };
    expect(
      (await world().customer.api.post('/v1/carrier-credentials', account, { 'idempotency-key': 'c' })).status,
    ).toBe(201);
    for (const wrong of [{ provider: 'none' }, { account_sid: '' }, { auth_token: auth_token.repeat(1_000) }]) {
      const refused = await world().customer.api.post('/v1/carrier-credentials', { ...account, ...wrong });
      expect(refused.status).toBe(400);
      world().refusals.push(JSON.stringify(refused.body));
    }
    const webhookTool = {
      type: 'webhook',
      name: 'canary',
      description: 'Looks something up.',
      parameters: { type: 'object' },
      url: 'https://a.invalid/',
      method: 'POST',
      headers: { authorization: 'Bearer canary-of-a-tool-header' },
    };
    world().canaries.set('tool header', 'canary-of-a-tool-header');
    const tooled = await world().customer.api.post('/v1/agents', {
      organization_id: world().customer.organizationId,
      project_id: world().customer.projectId,
      mode: 'hosted',
      tools: [webhookTool],
    });
    const [{ secret: toolSecret } = { secret: '' }] = tooled.body.tools as { secret: string }[];
    expect(toolSecret).toMatch(/^whsec_/);
    world().canaries.set('tool secret', toolSecret.replace('whsec_', ''));
    const endpoint = await world().customer.api.post('/v1/agent-endpoints', {
      organization_id: world().customer.organizationId,
      project_id: world().customer.projectId,
      webhook_url: world().customer.receiver.url,
      audio_stream_url: world().customer.receiver.url.replace('http:', 'ws:'),
    });
    world().canaries.set('webhook secret', String(endpoint.body.secret).replace('whsec_', ''));
    const call = await world().customer.call('+15005550006');
    await world().customer.finished(call.call_id);
    await world().customer.receiver.eventOf(call.call_id, 'call.completed');
    const reads = await Promise.all(
      ['api-keys', 'gateway-tokens', 'component-credentials', 'carrier-credentials', 'agent-endpoints', 'agents']
        .map((name) => `/v1/${name}?limit=100`)
        .concat(`/v1/organizations/${world().customer.organizationId}/audit-log?limit=100`)
        .map(async (path) => JSON.stringify((await world().customer.api.get(path)).body)),
    );
    const places: Record<string, string> = {
      logs:
        world()
          .platform.processes.map(({ name, replica }) => logOf(name, replica))
          .join('\n') + world().platform.log,
      spans: world().sink.text(),
      events: JSON.stringify(world().customer.receiver.deliveries.map(({ raw: text }) => text)),
      errors: world().refusals.join('\n'),
      reads: reads.join('\n'),
      database: await dump(),
    };
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.length > 0]).toEqual([place, true]);
      for (const [what, canary] of world().canaries) {
        const bytes = Buffer.from(canary);
        const forms = [canary, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
        expect([place, what, forms.some((form) => text.includes(form))]).toEqual([place, what, false]);
      }
    }
  });

  const logOf = (name: string, replica: number): string => {
    try {
      return world().platform.logOf(`${name}-${replica}`);
    } catch {
      return world().platform.logOf(name);
    }
  };

  /** Every row of every table, with binary columns in hexadecimal. */
  const dump = async (): Promise<string> => {
    const admin = new pg.Client({ connectionString: world().platform.databaseUrl });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await admin.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} as t`);
      texts.push(...table.rows.map(({ row }) => row));
    }
    await admin.end();
    return texts.join('\n');
  };
}
