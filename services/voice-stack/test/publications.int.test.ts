import { createHash } from 'node:crypto';
import path from 'node:path';
import { canonicalJson, routes } from '@parley/contract';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, jsonOf, newId, serviceCaller } from '@parley/runtime';
import {
  customerCaller,
  grpcClient,
  inProcessGrpc,
  publicClient,
  requestPublic,
  testDatabase,
  type TestDatabase,
} from '@parley/testing';
import { voiceStackService } from '../src/voice-stack-service';
import { voiceStackPublicService } from '../src/handlers';
import { partsOf } from './parts';

const context = { requestId: 'test', caller: serviceCaller };

const organizations = new Map<string, string>();
/** Returns a valid organization id, always the same for a word; the cross-tenant read check recognizes only valid ids. */
function organization(word: string): string {
  const id = organizations.get(word) ?? newId('org');
  organizations.set(word, id);
  return id;
}
const parts = partsOf();

const configuration = (change: object = {}) =>
  documentOf('VoiceStackConfiguration', {
    organization_id: organization('a'),
    mode: 'hosted',
    voice_frontend: 'cascade',
    language: 'en',
    languages: ['en', 'de'],
    language_profiles: [],
    follow_caller: null,
    system_prompt: 'Be kind.',
    first_message: null,
    transcriber: null,
    model: null,
    voice: null,
    tools: [],
    translation: null,
    component_credential_bindings: {},
    ...change,
  });

describe('publications', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof inProcessGrpc>>;
  let client: ReturnType<typeof grpcClient<VoiceStackServiceServer>>;
  let publicRoutes: ReturnType<typeof publicClient>;

  beforeAll(async () => {
    database = await testDatabase({
      schemaFile: path.join(__dirname, '../schema.sql'),
      schema: 'voice_stack',
      checkCrossTenantReads: true,
    });
    server = await inProcessGrpc([
      voiceStackService({ ...parts, db: database.db }),
      voiceStackPublicService(parts.catalogues, parts.inventories),
    ]);
    publicRoutes = publicClient(server.address);
    client = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, server.address);
  });

  afterAll(async () => {
    client?.close();
    publicRoutes?.close();
    await server?.stop();
    await database?.drop();
  });

  const compile = (organizationId: string, change: object = {}, store = true) =>
    client.compile({ organizationId, configuration: configuration(change), store }, context);

  const stored = async (organizationId: string): Promise<number> => {
    const { rows } = await database.db.query<{ count: number }>({
      text: 'select count(*)::integer as count from publications where organization_id = $1',
      values: [organizationId],
    });
    return rows[0]?.count ?? -1;
  };

  it('are stored under the SHA-256 of their canonical JSON', async () => {
    const { sha256, blockers, publishedLanguages, catalogueVersion } = await compile(organization('stores'));
    expect(blockers).toEqual([]);
    expect(publishedLanguages).toEqual(['en', 'de']);
    const { content, createdAt } = await client.getPublication(
      { organizationId: organization('stores'), sha256 },
      context,
    );
    expect(
      createHash('sha256')
        .update(content?.json ?? '')
        .digest('hex'),
    ).toBe(sha256);
    expect(canonicalJson(jsonOf(content))).toBe(content?.json.toString());
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect((await client.getCatalogue({}, context)).version).toBe(catalogueVersion);
  });

  it('GET /v1/agent-catalog returns the same bytes as the RPC GetCatalogue', async () => {
    const caller = customerCaller(organization('reads'));
    const { text } = await requestPublic(publicRoutes, routes.getAgentCatalog, { caller });
    const { catalogue: internal, version } = await client.getCatalogue({}, context);
    expect(text).toBe(internal?.json.toString());
    expect(JSON.parse(text)).toMatchObject({ version });
  });

  it('concurrent equal compilations store one row per organization', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => compile(organization('many'))));
    expect(new Set(answers.map(({ sha256 }) => sha256)).size).toBe(1);
    await compile(organization('other'));
    expect([await stored(organization('many')), await stored(organization('other'))]).toEqual([1, 1]);
  });

  it('are returned only to the organization that compiled them', async () => {
    const { sha256 } = await compile(organization('mine'), { system_prompt: 'Only mine.' });
    await expect(
      client.getPublication({ organizationId: organization('theirs'), sha256 }, context),
    ).rejects.toMatchObject({
      code: 'NotFoundError',
      status: 404,
    });
  });

  it('are not stored if there are blockers or store is false', async () => {
    const blocked = await compile(organization('nothing'), { languages: ['tlh'] });
    expect(blocked).toMatchObject({
      sha256: '',
      blockers: [{ code: 'language_not_supported', scope: 'language:tlh' }],
    });
    const dry = await compile(organization('nothing'), {}, false);
    expect(dry.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await stored(organization('nothing'))).toBe(0);
  });

  it('the database role of the service cannot change or delete them', async () => {
    await compile(organization('immutable'));
    for (const text of [
      "update publications set content = '{}'",
      'delete from publications',
      'truncate publications',
    ]) {
      await expect(database.db.query({ text })).rejects.toMatchObject({ code: '42501' });
    }
  });
});
