import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Api } from '../api';
import { briefCallee, Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

const newKey = (): string => randomBytes(32).toString('base64');

/** docs/operating.md, "Rotation", step by step for vault keys and peppers, while requests continue and no process is restarted. */
describe('rotation of vault keys and peppers', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-rotation-'));
  const files = { vault: path.join(folder, 'vault-keys'), peppers: path.join(folder, 'token-peppers') };
  const [k1, k2, p1, p2] = [`k1:${newKey()}`, `k2:${newKey()}`, `1:${newKey()}`, `2:${newKey()}`];
  /** Longer than any process takes to reload its files. */
  const readAgain = () => new Promise((resolve) => setTimeout(resolve, 6_000));
  let platform: Platform;
  let customer: Customer;
  let database: pg.Client;

  beforeAll(async () => {
    writeFileSync(files.vault, k1);
    writeFileSync(files.peppers, p1);
    platform = await Platform.start({ env: { VAULT_KEYS_FILE: files.vault, TOKEN_PEPPERS_FILE: files.peppers } });
    customer = await Customer.create(platform);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await customer?.close();
    await platform?.stop();
    rmSync(folder, { recursive: true });
  });

  async function oldKeysNeeded(): Promise<number> {
    const needed = await Promise.all(
      platform.processes.map(async ({ health_port: port }) => {
        if (port === undefined) return 0;
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return Number(/^parley_vault_old_keys_in_use\{.*\} (\d)$/m.exec(text)?.[1] ?? 0);
      }),
    );
    return needed.reduce((sum, one) => sum + one, 0);
  }

  /** The ids of all keys with which stored values are encrypted. */
  async function keyIds(): Promise<string[]> {
    const ids = new Set<string>();
    const idOf = (sealed: Buffer) => ids.add(sealed.subarray(2, 2 + sealed.readUInt8(1)).toString());
    for (const [table, column] of [
      ['auth.component_credentials', 'secret'],
      ['telephony.carrier_credentials', 'auth_token'],
      ['webhooks.endpoint_secrets', 'sealed'],
    ]) {
      const { rows } = await database.query<{ sealed: Buffer }>(`select ${column} as sealed from ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      for (const { sealed } of rows) idOf(sealed);
    }
    const { rows } = await database.query<{ text: string }>(
      'select document || tuning || tool_secrets as text from agents.agents where agent_id = $1',
      [customer.agentId],
    );
    const inText = [...(rows[0]?.text ?? '').matchAll(/"(AQJr[A-Za-z0-9+/]+={0,2})"/g)].map(([, text = '']) => text);
    // The header in the document and in the tuning, the secret of the tool, and the secret of the agent if it has one.
    expect(inText.length).toBeGreaterThanOrEqual(3);
    for (const text of inText) idOf(Buffer.from(text, 'base64'));
    return [...ids].sort();
  }

  it('no request fails, all values are encrypted with the new key, and the old keys can be removed', async () => {
    const { api, organizationId } = customer;
    const must = async (work: Promise<{ status: number; body: unknown }>): Promise<Record<string, unknown>> => {
      const { status, body } = await work;
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body as Record<string, unknown>;
    };
    await must(
      api.post('/v1/component-credentials', {
        organization_id: organizationId,
        kind: 'llm',
        provider: 'openai',
        name: 'account',
        secret: 'sk-rotated',
      }),
    );
    await must(
      api.post('/v1/carrier-credentials', {
        organization_id: organizationId,
        provider: 'twilio',
        account_sid: `AC${'0'.repeat(32)}`,
        auth_token: 'carrier-token',
      }),
    );
    await must(
      api.patch(`/v1/agents/${customer.agentId}`, {
        tools: [
          {
            type: 'webhook',
            name: 'crm',
            description: 'Looks up a customer.',
            url: 'https://crm.example/lookup',
            method: 'POST',
            parameters: { type: 'object', properties: {} },
            headers: { Authorization: 'Bearer tool' },
          },
        ],
      }),
    );
    const keyNamed = async (name: string): Promise<Api> => {
      const minted = await must(
        api.post('/v1/api-keys', { organization_id: organizationId, name, scopes: ['agents:read'] }),
      );
      return new Api(() => platform.baseUrls, String(minted.token));
    };
    const rare = await keyNamed('rare');
    const unused = await keyNamed('unused');
    expect(await keyIds()).toEqual(['k1']);

    let going = true;
    const statuses = new Map<number, number>();
    const load = [0, 1].map(async () => {
      while (going) {
        for (const answer of [
          await api.get(`/v1/agents/${customer.agentId}`),
          await api
            .post(`/v1/agent-endpoints/${customer.endpointId}/rotate-secret`, { overlap_hours: 0 })
            .catch(() => ({ status: 0 })),
        ]) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    try {
      // 1. Every process can decrypt with the new key and recognizes the new pepper.
      writeFileSync(files.vault, `${k2},${k1}`);
      writeFileSync(files.peppers, `${p2},${p1}`);
      await readAgain();
      // 2. The new key encrypts, and the new pepper hashes.
      writeFileSync(files.vault, `${k1},${k2}`);
      writeFileSync(files.peppers, `${p1},${p2}`);
      await readAgain();
      // 3. Wait until nothing is encrypted with the old key.
      await until(
        'no process needs an old key',
        async () => ((await oldKeysNeeded()) === 0 ? true : undefined),
        60_000,
      );
      expect(await keyIds()).toEqual(['k2']);
      expect((await rare.get(`/v1/agents/${customer.agentId}`)).status).toBe(200);
      const { rows } = await database.query('select pepper_version from auth.api_keys where name = $1', ['rare']);
      expect(rows).toEqual([{ pepper_version: 2 }]);
      // 4. Remove the old ones.
      writeFileSync(files.vault, k2);
      writeFileSync(files.peppers, p2);
      await readAgain();
      expect((await rare.get(`/v1/agents/${customer.agentId}`)).status).toBe(200);
      // Its hash still has the old pepper: it is one of the keys that the runbook's query lists.
      expect((await unused.get(`/v1/agents/${customer.agentId}`)).status).toBe(401);
    } finally {
      going = false;
      await Promise.all(load);
    }
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(100);
    // Encrypted values can be decrypted: a delivery is signed with the secret that the customer has.
    const rotated = await must(
      api.post(`/v1/agent-endpoints/${customer.endpointId}/rotate-secret`, { overlap_hours: 0 }),
    );
    customer.receiver.trust(String(rotated.secret));
    const call = await customer.call(briefCallee);
    await until('the call is completed at the receiver', () =>
      customer.receiver.deliveries.some(
        ({ event }) => event.resource_id === call.call_id && event.type === 'call.completed',
      )
        ? true
        : undefined,
    );
    expect(platform.log).not.toContain('sealed values cannot be opened');
  });
});
