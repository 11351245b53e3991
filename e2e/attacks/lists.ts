import { randomUUID } from 'node:crypto';
import { workerKey } from '../fuzz/resources';
import { Customer } from '../customer';
import { until } from '../until';
import { claimedByWorker } from './claimed-by-worker';
import { refusal, type World } from './world';

/** Campaigns and knowledge: lists of contacts that contain more than contacts, and answers from documents of others. */
export function listAttacks(world: () => World): void {
  let owner: Customer;
  beforeAll(async () => {
    owner = await Customer.create(world().platform);
  });
  afterAll(() => owner?.close());

  describe('contacts of a campaign', () => {
    const campaign = async (): Promise<string> => {
      const { status, body } = await owner.api.post('/v1/campaigns', { agent_id: owner.agentId, name: 'Attacked' });
      expect(status).toBe(201);
      return `/v1/campaigns/${String(body.campaign_id)}`;
    };
    const upload = (path: string, csv: string, api = owner.api) =>
      api.request<{ added?: number; rejected?: number; error?: string; errors?: { path: string }[] }>(
        'POST',
        `${path}/contacts`,
        {
          raw: csv,
          headers: { 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
        },
      );
    const contactsOf = async (path: string) =>
      (await owner.api.get<{ data: Record<string, unknown>[] }>(`${path}/contacts?limit=100`)).body.data;

    it.each([
      '__proto__',
      'constructor',
      'organization_id',
      'agent_id',
      'campaign_id',
      'status',
      'metadata',
      'attempts',
    ])('a column %s sets nothing but a variable', async (column) => {
      const path = await campaign();
      const forged = column === 'organization_id' ? world().stranger.organizationId : 'forged';
      const { status, body } = await upload(path, `to,${column}\n+15005550006,${forged}\n`);
      const contacts = await contactsOf(path);
      if (status !== 201) {
        expect([status, body.error, contacts]).toEqual([400, 'BadRequestError', []]);
        return;
      }
      expect(contacts.length).toBe(Number(body.added));
      for (const { variables, ...rest } of contacts) {
        expect(JSON.stringify(rest)).not.toContain(forged);
        expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
      }
      expect(({} as Record<string, unknown>)['forged']).toBeUndefined();
    });

    it('cells with formulas, line breaks and markup neither become numbers that are called nor break the upload', async () => {
      const path = await campaign();
      const cells = ['=cmd|"" /C calc""!A0', '+HYPERLINK(1)', '@SUM(1)', '-1+1', 'a\r\nX-Forged: 1', '<script>'];
      const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
      const numbers = cells.map((_, nth) => `+1500555001${nth}`);
      const rows = cells.flatMap((cell, nth) => [`${numbers[nth] ?? ''},${quoted(cell)}`, `${quoted(cell)},x`]);
      const imported = await upload(path, `to,name\n${rows.join('\n')}\n`);
      expect(imported).toMatchObject({ status: 201, body: { added: cells.length, rejected: cells.length } });
      expect(Object.keys(imported.headers)).not.toContain('x-forged');
      const contacts = await contactsOf(path);
      expect(contacts.map(({ to }) => to).sort()).toEqual([...numbers].sort());
      expect(contacts.map(({ variables }) => (variables as { name: string }).name).sort()).toEqual([...cells].sort());
      // Reasons are about columns and lines: a text of the file would be one of its author's in the console of another person.
      expect(JSON.stringify(imported.body)).not.toContain('HYPERLINK');
    });

    it('a file of rows that are no contacts ends with its first faults, long before it has been read', async () => {
      const path = await campaign();
      const { status, body } = await upload(path, `to\n${'x\n'.repeat(100_000)}`);
      expect([status, body.error]).toEqual([400, 'BadRequestError']);
      expect(body.errors?.map((one) => one.path)).toEqual(Array.from({ length: 100 }, (_, n) => `lines[${n + 2}]`));
      expect(await contactsOf(path)).toEqual([]);
    });

    it.each([
      ['by a key without campaigns:write', ['campaigns:read', 'calls:write', 'agents:write'], 403],
      ['by another organization', undefined, 404],
      ['after the campaign was canceled', ['campaigns:read', 'campaigns:write'], 409],
    ])('are not added %s', async (_, scopes, status) => {
      const path = await campaign();
      if (status === 409) expect((await owner.api.post(`${path}/cancel`)).status).toBe(200);
      const api =
        scopes === undefined ? world().stranger.api : (await world().holding(scopes, owner.organizationId)).api;
      expect((await upload(path, 'to\n+15005550006\n', api)).status).toBe(status);
      const json = await api.post(`${path}/contacts`, { contacts: [{ to: '+15005550006' }] });
      expect(json.status).toBe(status);
      expect(await contactsOf(path)).toEqual([]);
    });
  });

  describe('knowledge', () => {
    const attached = 'The attached document says apples.';
    const other = 'The other document says apples and the canary pears.';
    const baseOf = async ({ api, organizationId, projectId }: Customer, text: string): Promise<string> => {
      const home = { organization_id: organizationId, project_id: projectId };
      const base = String(
        (await api.post('/v1/knowledge-bases', { ...home, name: 'Attacked' })).body.knowledge_base_id,
      );
      const { body } = await api.post(`/v1/knowledge-bases/${base}/documents`, { name: 'Fruit', text });
      await until('the document is ready', async () => {
        return (await api.get(`/v1/knowledge-documents/${String(body.document_id)}`)).body.status === 'ready';
      });
      return base;
    };

    it('a lease finds only what the agent of its call had, and a foreign, stale or ended one finds nothing', async () => {
      const { operator, anonymous, stranger } = world();
      const [mine, hidden] = [await baseOf(owner, attached), await baseOf(owner, other)];
      await baseOf(stranger, other);
      const bases = `/v1/agents/${owner.agentId}/knowledge-bases`;
      expect((await owner.api.put(bases, { knowledge_base_ids: [mine] })).status).toBe(200);
      const tools = [{ type: 'builtin', name: 'query_knowledge' }];
      expect((await owner.api.patch(`/v1/agents/${owner.agentId}/voice-stack`, { tools })).status).toBe(200);
      const worker = anonymous.as(await workerKey(operator, owner.organizationId));
      const foreign = anonymous.as(await workerKey(operator, stranger.organizationId));
      const { jobId, epoch } = await claimedByWorker(owner, worker, { tools: ['query_knowledge'] });
      const path = `/v1/worker-jobs/${jobId}/knowledge-queries`;
      const report = (seq: number, ...events: object[]) =>
        worker.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq, events });
      expect((await report(1, { type: 'dialing' }, { type: 'answered' })).status).toBe(200);
      const question = { epoch, text: 'What about apples and pears?' };
      const found = await worker.post<{ data: unknown[] }>(path, question);
      expect([found.status, found.body.data.length]).toEqual([200, 1]);
      expect(JSON.stringify(found.body)).toContain('apples');
      expect(JSON.stringify(found.body)).not.toContain('pears');
      const unknown = await worker.post(path, { ...question, knowledge_base_ids: [hidden] });
      expect(refusal(unknown)).toEqual([400, 'BadRequestError']);
      expect(refusal(await foreign.post(path, question))).toEqual([404, 'NotFoundError']);
      expect(refusal(await worker.post(path, { ...question, epoch: epoch + 1 }))).toEqual([409, 'ConflictError']);
      for (const base of [mine, hidden]) {
        const asked = await worker.post(`/v1/knowledge-bases/${base}/query`, { text: 'pears' });
        expect(refusal(asked)).toEqual([403, 'ForbiddenError']);
      }
      // A base that an agent has is not deleted; one that is deleted during the call is not found by its lease any more.
      expect(refusal(await owner.api.delete(`/v1/knowledge-bases/${mine}`))).toEqual([409, 'ConflictError']);
      expect((await owner.api.put(bases, { knowledge_base_ids: [] })).status).toBe(200);
      expect((await owner.api.delete(`/v1/knowledge-bases/${mine}`)).status).toBeLessThan(300);
      await until('nothing is found', async () => {
        const { status, body } = await worker.post<{ data?: unknown[] }>(path, question);
        return status === 404 || body.data?.length === 0;
      });
      expect((await report(2, { type: 'ended', ended_reason: 'callee_hung_up' })).status).toBe(200);
      await worker.post(`/v1/worker-jobs/${jobId}/complete`, { epoch });
      expect((await worker.post(path, question)).status).toBe(409);
    });

    it('a base answers no key without knowledge:read, and none of another organization', async () => {
      const base = await baseOf(owner, other);
      const ask = { text: 'pears' };
      const path = `/v1/knowledge-bases/${base}/query`;
      expect(JSON.stringify((await owner.api.post(path, ask)).body)).toContain('canary pears');
      const { api } = await world().holding(['knowledge:write', 'agents:read', 'calls:read'], owner.organizationId);
      expect(refusal(await api.post(path, ask))).toEqual([403, 'ForbiddenError']);
      const { api: theirs } = world().stranger;
      const foreign = await theirs.post(path, ask);
      const absent = await theirs.post(path.replace(/.{4}\/query/, 'zzzz/query'), ask);
      expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
      expect(refusal(await theirs.get(path.replace('/query', '/documents')))).toEqual([404, 'NotFoundError']);
      const attach = await world().stranger.api.put(`/v1/agents/${world().stranger.agentId}/knowledge-bases`, {
        knowledge_base_ids: [base],
      });
      expect(refusal(attach)).toEqual([400, 'BadRequestError']);
    });
  });
}
