import { createHash } from 'node:crypto';
import {
  routes,
  type CampaignAttemptRecord,
  type CampaignContactRecord,
  type CampaignRecord,
  type WorkerJob,
} from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, jsonOf } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { type Reported, claim, complete, customer, report, reviewer } from './test-caller';
import type { Instance } from './telephony-under-test';

const fingerprint = (text: string) => createHash('sha256').update(text).digest();

type Query = Readonly<Record<string, string | number>>;

/** Reads all pages of a list. */
async function allOf<Item>(
  fetch: (page: Query) => Promise<{ readonly data: Item[]; readonly next_cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof fetch>> = await fetch({ limit: 100, ...(cursor !== '' && { cursor }) });
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}

/** The routes of campaigns, as the gateway forwards them, for the organization of one agent. */
export class CampaignClient {
  constructor(
    readonly instance: Instance,
    readonly agent: AgentForCall,
  ) {}

  private get organizationId(): string {
    return this.agent.organizationId;
  }

  private get context() {
    return customer(this.organizationId);
  }

  private get caller() {
    return customerCaller(this.organizationId);
  }

  /** The parameters of a request about a campaign. */
  private of(id: string) {
    return { caller: this.caller, params: { campaign_id: id } };
  }

  async create(body: object = {}, key = ''): Promise<CampaignRecord> {
    const whole = { agent_id: this.agent.agentId, name: 'Spring', ...body };
    return (await this.instance.request(routes.createCampaign, { caller: this.caller, body: whole, key })).body;
  }

  async launched(numbers: readonly string[], body: object = {}): Promise<CampaignRecord> {
    const made = await this.create({ contacts: numbers.map((to) => ({ to })), calls_per_minute: 10_000, ...body });
    return this.launch(made.campaign_id);
  }

  async launch(id: string): Promise<CampaignRecord> {
    return (await this.instance.request(routes.launchCampaign, this.of(id))).body;
  }
  async pause(id: string): Promise<CampaignRecord> {
    return (await this.instance.request(routes.pauseCampaign, this.of(id))).body;
  }
  async resume(id: string): Promise<CampaignRecord> {
    return (await this.instance.request(routes.resumeCampaign, this.of(id))).body;
  }
  async cancel(id: string): Promise<CampaignRecord> {
    return (await this.instance.request(routes.cancelCampaign, this.of(id))).body;
  }

  async get(id: string): Promise<CampaignRecord & { readonly etag: string }> {
    const { body, etag } = await this.instance.request(routes.getCampaign, this.of(id));
    return { ...body, etag };
  }

  async update(id: string, body: object, ifMatch = ''): Promise<CampaignRecord> {
    return (await this.instance.request(routes.updateCampaign, { ...this.of(id), body, ifMatch })).body;
  }

  async duplicate(id: string, body: object = {}, key = ''): Promise<CampaignRecord> {
    return (await this.instance.request(routes.duplicateCampaign, { ...this.of(id), body, key })).body;
  }

  async add(id: string, contacts: readonly object[], key = ''): Promise<Readonly<Record<string, unknown>>> {
    const body = { contacts };
    const { document, replayed } = await this.instance.client.addCampaignContacts(
      {
        organizationId: this.organizationId,
        campaignId: id,
        body: documentOf('CampaignContactsAdd', body),
        idempotency: { key, route: 'add-campaign-contacts', fingerprint: fingerprint(JSON.stringify(body)) },
      },
      this.context,
    );
    return { ...jsonOf<{ import_id: string; added: number }>(document), replayed };
  }

  async resolve(
    id: string,
    attemptId: string,
    decision: string,
    caller = reviewer(this.organizationId),
  ): Promise<CampaignAttemptRecord> {
    const params = { campaign_id: id, attempt_id: attemptId };
    const request = { caller, params, body: { decision } };
    return (await this.instance.request(routes.resolveCampaignReview, request)).body;
  }

  async rows(
    id: string,
    text: string,
    change: {
      key?: string;
      importId?: string;
      firstLine?: number;
      piece?: number;
      last?: boolean;
      whole?: string;
      delimiter?: string;
    } = {},
  ) {
    const { key = '', importId = '', firstLine = 1, piece = 1, last = true, whole = 'whole', delimiter = ',' } = change;
    const request = {
      organizationId: this.organizationId,
      campaignId: id,
      importId,
      rows: Buffer.from(text),
      delimiter,
      firstLine: String(firstLine),
      piece,
      last,
      idempotency: { key, route: 'add-campaign-contacts', fingerprint: fingerprint('upload') },
      uploadSha256: last ? fingerprint(whole) : Buffer.alloc(0),
    };
    const taken = await this.instance.client.addCampaignRows(request, this.context);
    return { importId: taken.importId, replayed: taken.replayed, record: jsonOf<ImportRecord>(taken.document) };
  }

  async contacts(id: string, query: Query = {}): Promise<CampaignContactRecord[]> {
    return allOf(async (page) => {
      const request = { ...this.of(id), query: { ...query, ...page } };
      return (await this.instance.request(routes.listCampaignContacts, request)).body;
    });
  }

  async attempts(id: string, query: Query = {}): Promise<CampaignAttemptRecord[]> {
    return allOf(async (page) => {
      const request = { ...this.of(id), query: { ...query, ...page } };
      return (await this.instance.request(routes.listCampaignAttempts, request)).body;
    });
  }

  async faults(id: string, importId: string): Promise<{ line: number; reason: string }[]> {
    const params = { campaign_id: id, import_id: importId };
    return allOf(async (query) => {
      return (await this.instance.request(routes.listImportFaults, { caller: this.caller, params, query })).body;
    });
  }

  /** Cancels a campaign and waits until none of its calls can be claimed, because tests share the queue. */
  async end(id: string): Promise<void> {
    await this.cancel(id);
    await this.until(id, ({ statistics: { live, waiting, in_review } }) => live + waiting + in_review === 0);
  }

  /** Waits until the campaign satisfies the condition. */
  async until(id: string, wanted: (campaign: CampaignRecord) => boolean): Promise<CampaignRecord> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      const campaign = await this.get(id);
      if (wanted(campaign)) return campaign;
      if (Date.now() > deadline) throw new Error(`the campaign stays ${JSON.stringify(campaign)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

export interface ImportRecord {
  readonly import_id: string;
  readonly status: string;
  readonly rows: number;
  readonly added: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly faults: readonly { line: number; reason: string }[];
}

/** The outcome of a call to a number, by its last digit, as for the simulator carrier. */
function endOf(to: string): { readonly reports: readonly (string | Reported)[]; readonly classification: string } {
  switch (to.slice(-1)) {
    case '1':
      return { reports: [{ type: 'failed', ended_reason: 'busy' }], classification: '' };
    case '2':
      return { reports: [{ type: 'failed', ended_reason: 'no_answer' }], classification: '' };
    case '3':
      return { reports: ['answered', { type: 'ended', ended_reason: 'caller_hung_up' }], classification: 'voicemail' };
    // A mailbox without a proof, which the simulator does not have.
    case '8':
      return { reports: ['answered', { type: 'ended', ended_reason: 'caller_hung_up' }], classification: 'voicemail' };
    case '4':
      return { reports: [{ type: 'failed', ended_reason: 'carrier_failure' }], classification: '' };
    default:
      return { reports: ['answered', { type: 'ended', ended_reason: 'caller_hung_up' }], classification: 'human' };
  }
}

/** Conducts a claimed call to its end. */
export async function runCall(instance: Instance, job: WorkerJob): Promise<void> {
  const to = job.call.to ?? '';
  const { reports, classification } = endOf(to);
  await report(instance, job, 1, 'dialing', ...reports);
  await complete(instance, job, undefined, classification, undefined, to.endsWith('3') ? 'beep' : undefined);
}

/** Claims until this many jobs are held; calls that are being placed appear a moment later. */
export async function claimed(instance: Instance, count: number): Promise<WorkerJob[]> {
  const jobs: WorkerJob[] = [];
  const deadline = Date.now() + 120_000;
  while (jobs.length < count) {
    if (Date.now() > deadline) throw new Error(`${jobs.length} jobs in place of ${count}`);
    jobs.push(...(await claim(instance, 50, 1)));
  }
  return jobs;
}

/** A worker that conducts every call that it can claim, until it is stopped. */
export class CampaignWorker {
  /** The dialed numbers, in order. */
  readonly dialed: string[] = [];
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(private readonly instance: Instance) {
    this.done = this.work();
  }

  private async work(): Promise<void> {
    while (!this.stopped) {
      const jobs = await claim(this.instance, 20);
      await Promise.all(jobs.map((job) => this.take(job)));
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Without the permit no one is dialed: the call was withdrawn in the meantime. */
  private async take(job: WorkerJob): Promise<void> {
    const permitted = await runCall(this.instance, job).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'ConflictError') return false;
        throw error;
      },
    );
    if (permitted) this.dialed.push(job.call.to ?? '');
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }
}
