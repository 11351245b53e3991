import { createHash } from 'node:crypto';
import { canonicalJson } from '@parley/contract';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, newId, serviceCaller } from '@parley/runtime';
import { grpcClient } from '@parley/testing';
import { AgentsPlatform, operator, type Customer, type Json } from './agents-platform';

const who = { name: 'who', type: 'string', required: true };
const due = { name: 'due', type: 'date', required: false, default: '2026-02-28', protected: true, description: 'When' };
const hashOf = (variables: Json[]) => createHash('sha256').update(canonicalJson({ variables })).digest('hex');

describe('variables', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, code: string) =>
    expect(pending).rejects.toMatchObject({ status, code });

  it('GET returns an empty list for an agent without variables and publications', async () => {
    const agentId = await customer.agent();
    expect((await customer.variables(agentId)).body).toEqual({
      agent_id: agentId,
      config: { variables: [] },
      revision: 0,
      schema_hash: '',
      published_at: '',
    });
  });

  it('each replacement publishes a version, also with equal variables', async () => {
    const agentId = await customer.agent();
    const first = await customer.replaceVariables(agentId, { config: { variables: [who, due] } });
    expect(first.body).toMatchObject({
      config: { variables: [who, due] },
      revision: 1,
      schema_hash: hashOf([who, due]),
    });
    expect(new Date(String(first.body.published_at)).toISOString()).toBe(first.body.published_at);
    const again = await customer.replaceVariables(agentId, { config: { variables: [who, due] } });
    expect(again.body).toMatchObject({ revision: 2, schema_hash: first.body.schema_hash });
    const emptied = await customer.replaceVariables(agentId, { config: { variables: [] } });
    expect(emptied.body).toMatchObject({ revision: 3, schema_hash: '', config: { variables: [] } });
    expect(await customer.variables(agentId)).toEqual(emptied);
    const { body } = await customer.stack(agentId);
    expect((body.language_profiles as Json).published_version).toBe(3);
    const history = await platform.rows('select version from agent_publications where agent_id = $1 order by 1', [
      agentId,
    ]);
    expect(history.map(({ version }) => Number(version))).toEqual([1, 2, 3]);
  });

  it('a voice-stack publication increments the revision but keeps schema_hash', async () => {
    const agentId = await customer.agent();
    const { body } = await customer.replaceVariables(agentId, { config: { variables: [who] } });
    await customer.save(agentId, { languages: ['en', 'de'] });
    expect((await customer.variables(agentId)).body).toMatchObject({ revision: 2, schema_hash: body.schema_hash });
  });

  it('an agent published by its variables is published again when the prompt changes, and calls use that version', async () => {
    const agentId = await customer.agent();
    await customer.replaceVariables(agentId, { config: { variables: [who] } });
    const before = await customer.forCall(agentId);
    await customer.update(agentId, { system_prompt: 'Be brief, {{who}}.' });
    const after = await customer.forCall(agentId);
    expect([before.publicationVersion, after.publicationVersion]).toEqual([1, 2]);
    expect(after.publicationSha256).not.toBe(before.publicationSha256);
  });

  it('a stale base_revision returns 409 revision_conflict and changes nothing; without one the last write wins', async () => {
    const agentId = await customer.agent();
    await customer.replaceVariables(agentId, { config: { variables: [who] }, base_revision: 0 });
    const before = await customer.variables(agentId);
    for (const base_revision of [0, 2]) {
      await refused(
        customer.replaceVariables(agentId, { config: { variables: [] }, base_revision }),
        409,
        'revision_conflict',
      );
    }
    expect(await customer.variables(agentId)).toEqual(before);
    const won = await customer.replaceVariables(agentId, { config: { variables: [due] }, base_revision: 1 });
    expect(won.body.revision).toBe(2);
    expect((await customer.replaceVariables(agentId, { config: { variables: [who] } })).body.revision).toBe(3);
  });

  it('exactly one of two concurrent replacements with the same base_revision succeeds', async () => {
    const agentId = await customer.agent();
    const sent = [who, due].map((variable) => ({ config: { variables: [variable] }, base_revision: 0 }));
    const outcomes = await Promise.allSettled(sent.map((body) => customer.replaceVariables(agentId, body)));
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Json] : []));
    expect(lost).toMatchObject([{ status: 409, code: 'revision_conflict' }]);
    const { body } = await customer.variables(agentId);
    const winner = sent[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(body).toMatchObject({ revision: 1, config: winner?.config });
  });

  it('each of ten concurrent replacements without base_revision increments the revision or returns 409', async () => {
    const agentId = await customer.agent();
    await customer.replaceVariables(agentId, { config: { variables: [who] } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => customer.replaceVariables(agentId, { config: { variables: [due] } })),
    );
    const wins = outcomes.filter(({ status }) => status === 'fulfilled').length;
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'ConflictError' });
    expect((await customer.variables(agentId)).body.revision).toBe(1 + wins);
  });

  it('the ETag changes with a replacement, and a stale If-Match returns 409', async () => {
    const agentId = await customer.agent();
    const { etag } = await customer.variables(agentId);
    const saved = await customer.replaceVariables(agentId, { config: { variables: [who] } }, { ifMatch: etag });
    expect(saved.etag).not.toBe(etag);
    expect((await customer.variables(agentId)).etag).toBe(saved.etag);
    await refused(
      customer.replaceVariables(agentId, { config: { variables: [] } }, { ifMatch: etag }),
      409,
      'ConflictError',
    );
    expect((await customer.variables(agentId)).body.config).toEqual({ variables: [who] });
  });

  it.each<[string, Json]>([
    ['no config', {}],
    ['config null', { config: null }],
    ['an unknown field', { config: { variables: [] }, other: 1 }],
    ['a duplicate name', { config: { variables: [who, { ...who, type: 'number' }] } }],
    ['a default of another type', { config: { variables: [{ ...who, default: 5 }] } }],
    [
      '65 variables',
      { config: { variables: Array.from({ length: 65 }, (_, index) => ({ ...who, name: `v${index}` })) } },
    ],
    ['base_revision -1', { config: { variables: [] }, base_revision: -1 }],
  ])('400 and nothing changes: %s', async (_, body) => {
    const agentId = await customer.agent();
    const before = await customer.get(agentId);
    await refused(customer.replaceVariables(agentId, body), 400, 'BadRequestError');
    expect(await customer.get(agentId)).toEqual(before);
  });

  it('the returned variables can be sent back', async () => {
    const agentId = await customer.agent();
    const { body } = await customer.replaceVariables(agentId, { config: { variables: [who, due] } });
    const { revision: base_revision, ...rest } = body;
    expect((await customer.replaceVariables(agentId, { ...rest, base_revision })).body.config).toEqual(body.config);
  });

  it('a replacement that cannot be published returns blockers and changes nothing', async () => {
    const agentId = await customer.agent({ language: 'xx-unknown' });
    const before = await customer.variables(agentId);
    const pending = customer.replaceVariables(agentId, { config: { variables: [who] } });
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    await expect(pending).rejects.toHaveProperty('fields.blockers');
    expect(await customer.variables(agentId)).toEqual(before);
  });

  it('a call receives the declared variables with the agent and in the publication', async () => {
    const agentId = await customer.agent();
    expect((await customer.forCall(agentId)).variables).toBeUndefined();
    await customer.replaceVariables(agentId, { config: { variables: [who, due] } });
    const agent = await customer.forCall(agentId);
    expect(jsonOf(agent.variables)).toEqual({ variables: [who, due] });
    const client = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, platform.voiceStack.address);
    const { content } = await client.getPublication(
      { organizationId: customer.organizationId, sha256: agent.publicationSha256 },
      { requestId: 'test', caller: serviceCaller },
    );
    client.close();
    expect(jsonOf<Json>(content).variables).toEqual({ variables: [who, due] });
  });

  it('404 for an agent of another organization, an unknown id and a malformed id', async () => {
    const agentId = await customer.agent();
    const stranger = platform.customer();
    for (const id of [agentId, newId('agt'), 'nonsense']) {
      await refused(stranger.variables(id), 404, 'NotFoundError');
      await refused(stranger.replaceVariables(id, { config: { variables: [who] } }), 404, 'NotFoundError');
    }
    expect((await customer.variables(agentId)).body.revision).toBe(0);
    expect((await stranger.variables(agentId, operator)).body.agent_id).toBe(agentId);
  });

  it('a body may name the organization and project of the agent; others return 403', async () => {
    const agentId = await customer.agent();
    const config = { variables: [who] };
    const own = { organization_id: customer.organizationId, project_id: customer.projectId };
    expect((await customer.replaceVariables(agentId, { ...own, config })).body.revision).toBe(1);
    await refused(customer.replaceVariables(agentId, { project_id: newId('prj'), config }), 403, 'ForbiddenError');
    await refused(customer.replaceVariables(agentId, { organization_id: newId('org'), config }), 403, 'ForbiddenError');
  });
});
