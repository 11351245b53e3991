import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  limits,
  routes,
  type AnyRoute,
  type KnowledgeAnswer,
  type KnowledgeDocumentRecord,
  type KnowledgeHit,
} from '@parley/contract';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { createLogger, jsonOf, newId, serviceCaller, type Caller } from '@parley/runtime';
import { createAddressPolicy, createOutboundClient, createVettedRequests } from '@parley/service';
import {
  customerCaller,
  grpcClient,
  inProcessGrpc,
  publicClient,
  requestPublic,
  testDatabase,
  vectorDatabase,
  type PublicTestRequest,
  type TestDatabase,
} from '@parley/testing';
import { processDocument, readInProcess, removeNext, type Processing } from '../src/documents';
import { Embedder, EmbeddingAccounts, embedNext, type EmbeddingWork } from '../src/embeddings';
import { knowledgePublicService } from '../src/handlers';
import { knowledgeService } from '../src/knowledge-service';
import { KnownSigns } from '../src/search';
import { StoredCredentials } from './stored-credentials';

/** The bytes of a content. */
export async function wholeOf(content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

const schema = 'knowledge';
/** Longer than any machine takes for a vector. */
export const patience = 60_000;
const schemaFile = path.join(__dirname, '../schema.sql');

/** The service with a real PostgreSQL; its background tasks run when a test calls them. */
export class KnowledgePlatform {
  /** What became of the documents that were processed, oldest first. */
  readonly settled: string[] = [];
  /** What became of the requests for vectors of chunks: how many vectors were stored, or the code of the failure. */
  readonly embedded: (number | string)[] = [];
  /** The simulated agents service: returns an agent that has the knowledge base, or nothing. */
  agentWith: (knowledgeBaseId: string) => Promise<string> = () => Promise.resolve('');

  private constructor(
    readonly database: TestDatabase,
    private readonly server: Awaited<ReturnType<typeof inProcessGrpc>>,
    readonly routes: ReturnType<typeof publicClient>,
    readonly rpcs: ReturnType<typeof grpcClient<KnowledgeServiceServer>>,
    private readonly client: ReturnType<typeof createOutboundClient>,
    readonly credentials: StoredCredentials,
    private readonly embedder: Embedder,
    private readonly vetted: ReturnType<typeof createVettedRequests>,
    /** The ranking of each answered question, or the failure of its embeddings server. */
    readonly asked: string[],
    /** How long a question waits for its vector. */
    readonly wait: { questionMs: number },
    /** The signs of vectors that questions have had read. */
    readonly signs: KnownSigns,
  ) {}

  /** @param options.vectors whether PostgreSQL has pgvector */
  static async start({ vectors = false } = {}): Promise<KnowledgePlatform> {
    const database = vectors
      ? await vectorDatabase({ schemaFile, schema })
      : await testDatabase({ schemaFile, schema, checkCrossTenantReads: true });
    const policy = createAddressPolicy({ development: true });
    const credentials = new StoredCredentials();
    const accounts = new EmbeddingAccounts(credentials.rpcs, () => performance.now());
    const vetted = createVettedRequests(policy, { keepsConnections: true });
    const embedder = new Embedder(accounts, vetted, () => undefined);
    const asked: string[] = [];
    const signs = new KnownSigns(database.db, (error) => {
      throw error;
    });
    const wait = { questionMs: patience };
    const started: { platform?: KnowledgePlatform } = {};
    const dependencies = {
      db: database.db,
      policy,
      embedder,
      signs,
      get questionMs() {
        return wait.questionMs;
      },
      // Simulated. Agents has its own tests, and an end-to-end test deletes an assigned knowledge base.
      agents: {
        findAgentWithBase: async ({ knowledgeBaseId }: { knowledgeBaseId: string }) => ({
          agentId: (await started.platform?.agentWith(knowledgeBaseId)) ?? '',
        }),
      },
      asked: (ranking: string, failure?: string) => asked.push(failure ?? ranking),
      onCommit: () => undefined,
      due: () => undefined,
    };
    const server = await inProcessGrpc([
      knowledgeService(dependencies),
      knowledgePublicService(dependencies, { insecureUrls: true }),
    ]);
    const platform = new KnowledgePlatform(
      database,
      server,
      publicClient(server.address),
      grpcClient<KnowledgeServiceServer>(KnowledgeServiceService, server.address),
      createOutboundClient({ policy }),
      credentials,
      embedder,
      vetted,
      asked,
      wait,
      signs,
    );
    started.platform = platform;
    return platform;
  }

  async stop(): Promise<void> {
    this.routes.close();
    this.rpcs.close();
    await this.server.stop();
    await this.client.close();
    await this.vetted.close();
    await this.signs.waitForReads();
    await this.database.drop();
  }

  processing(change: Partial<Processing> = {}): Processing {
    return {
      db: this.database.db,
      client: this.client,
      read: readInProcess,
      log: createLogger({ service: 'test', level: 'silent' }),
      settled: (result) => this.settled.push(result),
      reserved: false,
      ...change,
    };
  }

  /** Processes all due documents, and removes the chunks of deleted ones. */
  async process(change: Partial<Processing> = {}): Promise<void> {
    const signal = new AbortController().signal;
    while (await processDocument(this.processing(change), signal));
    while (await removeNext(this.database.db));
  }

  /** Makes all vectors that are due, also after failures. */
  async embed(signal = new AbortController().signal): Promise<void> {
    await this.rows(`update embedding_jobs set due_at = '-infinity' where claim = ''`);
    while (await embedNext(this.embedding(), signal));
  }

  embedding(change: Partial<EmbeddingWork> = {}): EmbeddingWork {
    return {
      db: this.database.db,
      embedder: this.embedder,
      stored: (vectors) => this.embedded.push(vectors),
      failed: (code) => this.embedded.push(code),
      reserved: false,
      ...change,
    };
  }

  async rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.database.db.query<Row & object>({ text, values })).rows;
  }

  customer(organizationId = newId('org')): Customer {
    return new Customer(this, organizationId, newId('prj'));
  }
}

export class Customer {
  constructor(
    private readonly platform: KnowledgePlatform,
    readonly organizationId: string,
    readonly projectId: string,
  ) {}

  ask<R extends AnyRoute>(route: R, request: PublicTestRequest<R> & { as?: Caller } = {}) {
    const { as = customerCaller(this.organizationId), ...rest } = request;
    return requestPublic(this.platform.routes, route, { caller: as, ...rest });
  }

  async base(change: object = {}): Promise<string> {
    const body = { organization_id: this.organizationId, project_id: this.projectId, name: 'Manual', ...change };
    return (await this.ask(routes.createKnowledgeBase, { body })).body.knowledge_base_id;
  }

  async add(baseId: string, body: object): Promise<KnowledgeDocumentRecord> {
    return (await this.ask(routes.createKnowledgeDocument, { params: { knowledge_base_id: baseId }, body })).body;
  }

  async put(documentId: string, mediaType: string, content: Buffer | string): Promise<KnowledgeDocumentRecord> {
    const uploadId = randomUUID();
    const bytes = Buffer.from(content);
    let parts = 0;
    for (; parts * limits.documentPartBytes < bytes.length; parts += 1)
      await this.putPart(
        documentId,
        uploadId,
        parts,
        bytes.subarray(parts * limits.documentPartBytes).subarray(0, limits.documentPartBytes),
      );
    return this.putParts(documentId, uploadId, mediaType, parts);
  }

  private get asking() {
    return { requestId: 'test', caller: customerCaller(this.organizationId) };
  }

  putPart(documentId: string, uploadId: string, part: number, content: Buffer): Promise<object> {
    const { organizationId } = this;
    return this.platform.rpcs.putDocumentPart({ organizationId, documentId, uploadId, part, content }, this.asking);
  }

  /** Completes an upload. */
  async putParts(
    documentId: string,
    uploadId: string,
    mediaType: string,
    parts: number,
  ): Promise<KnowledgeDocumentRecord> {
    const request = { organizationId: this.organizationId, documentId, uploadId, mediaType, parts };
    const { document } = await this.platform.rpcs.putDocumentContent(request, this.asking);
    return jsonOf<KnowledgeDocumentRecord>(document);
  }

  dropParts(documentId: string, uploadId: string): Promise<object> {
    const { organizationId } = this;
    return this.platform.rpcs.dropDocumentParts({ organizationId, documentId, uploadId }, this.asking);
  }

  async document(documentId: string): Promise<KnowledgeDocumentRecord> {
    return (await this.ask(routes.getKnowledgeDocument, { params: { document_id: documentId } })).body;
  }

  async query(baseId: string, text: string, limit?: number): Promise<readonly KnowledgeHit[]> {
    const params = { knowledge_base_id: baseId };
    return (await this.ask(routes.queryKnowledgeBase, { params, body: { text, ...(limit && { limit }) } })).body.data;
  }

  async answer(baseId: string, text: string): Promise<KnowledgeAnswer> {
    const params = { knowledge_base_id: baseId };
    return (await this.ask(routes.queryKnowledgeBase, { params, body: { text } })).body;
  }

  /** Asks like telephony does for the call of a lease. */
  async askAll(baseIds: readonly string[], text: string): Promise<readonly KnowledgeHit[]> {
    const { organizationId } = this;
    const context = { requestId: 'test', caller: serviceCaller };
    const asked = { organizationId, knowledgeBaseIds: [...baseIds], text, limit: 5 };
    const { answer } = await this.platform.rpcs.ask(asked, context);
    return jsonOf<{ data: KnowledgeHit[] }>(answer).data;
  }
}
