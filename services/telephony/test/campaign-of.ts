import { createHash } from 'node:crypto';
import type { CampaignAttemptRecord, CampaignContactRecord, CampaignRecord } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import type { Document } from '@parley/proto/common';
import type { Job } from '@parley/proto/telephony';
import { documentOf, jsonOf } from '@parley/runtime';
import { callOfJob, claim, complete, customer, report, type Reported } from './caller-of';
import type { Instance } from './telephony-under-test';

const fingerprint = (text: string) => createHash('sha256').update(text).digest();

const idempotency = (key: string, body: object) => ({
  key,
  route: 'campaigns',
  fingerprint: fingerprint(JSON.stringify(body)),
});

/** The routes of campaigns as the gateway sends them on, of one agent's organization. */
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

  private write(campaignId: string, body: object, key = '', ifMatch = '', attemptId = '') {
    const { organizationId } = this;
    return {
      organizationId,
      campaignId,
      attemptId,
      body: documentOf('', body),
      idempotency: idempotency(key, body),
      ifMatch,
    };
  }

  private list(campaignId: string, change: object = {}) {
    const { organizationId } = this;
    const page = { limit: 100, cursor: '' };
    return { organizationId, campaignId, page, projectId: '', status: '', contactId: '', importId: '', ...change };
  }

  async create(body: object = {}, key = ''): Promise<CampaignRecord> {
    const whole = { agent_id: this.agent.agentId, name: 'Spring', ...body };
    return jsonOf((await this.instance.client.createCampaign(this.write('', whole, key), this.context)).document);
  }

  async launched(numbers: readonly string[], body: object = {}): Promise<CampaignRecord> {
    const made = await this.create({ contacts: numbers.map((to) => ({ to })), calls_per_minute: 10_000, ...body });
    return this.launch(made.campaign_id);
  }

  private readonly request = (campaignId: string) => ({ organizationId: this.organizationId, campaignId });

  async launch(id: string): Promise<CampaignRecord> {
    return jsonOf((await this.instance.client.launchCampaign(this.request(id), this.context)).document);
  }
  async pause(id: string): Promise<CampaignRecord> {
    return jsonOf((await this.instance.client.pauseCampaign(this.request(id), this.context)).document);
  }
  async resume(id: string): Promise<CampaignRecord> {
    return jsonOf((await this.instance.client.resumeCampaign(this.request(id), this.context)).document);
  }
  async cancel(id: string): Promise<CampaignRecord> {
    return jsonOf((await this.instance.client.cancelCampaign(this.request(id), this.context)).document);
  }

  async get(id: string): Promise<CampaignRecord & { readonly etag: string }> {
    const { document, etag } = await this.instance.client.getCampaign(this.request(id), this.context);
    return { ...jsonOf<CampaignRecord>(document), etag };
  }

  async update(id: string, body: object, ifMatch = ''): Promise<CampaignRecord> {
    return jsonOf(
      (await this.instance.client.updateCampaign(this.write(id, body, '', ifMatch), this.context)).document,
    );
  }

  async duplicate(id: string, body: object = {}, key = ''): Promise<CampaignRecord> {
    return jsonOf((await this.instance.client.duplicateCampaign(this.write(id, body, key), this.context)).document);
  }

  async add(id: string, contacts: readonly object[], key = ''): Promise<Readonly<Record<string, unknown>>> {
    const { document, replayed } = await this.instance.client.addCampaignContacts(
      this.write(id, { contacts }, key),
      this.context,
    );
    return { ...jsonOf<{ import_id: string; added: number }>(document), replayed };
  }

  async resolve(id: string, attemptId: string, decision: string): Promise<CampaignAttemptRecord> {
    const request = this.write(id, { decision }, '', '', attemptId);
    return jsonOf((await this.instance.client.resolveCampaignReview(request, this.context)).document);
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
    } = {},
  ) {
    const { key = '', importId = '', firstLine = 1, piece = 1, last = true, whole = 'whole' } = change;
    const request = {
      organizationId: this.organizationId,
      campaignId: id,
      importId,
      rows: Buffer.from(text),
      firstLine: String(firstLine),
      piece,
      last,
      idempotency: { key, route: 'add-campaign-contacts', fingerprint: fingerprint('upload') },
      uploadSha256: last ? fingerprint(whole) : Buffer.alloc(0),
    };
    const taken = await this.instance.client.addCampaignRows(request, this.context);
    return { importId: taken.importId, replayed: taken.replayed, record: jsonOf<ImportRecord>(taken.document) };
  }

  async contacts(id: string, change: object = {}): Promise<CampaignContactRecord[]> {
    return this.all<CampaignContactRecord>((page) =>
      this.instance.client.listCampaignContacts(this.list(id, { ...change, page }), this.context),
    );
  }

  async attempts(id: string, change: object = {}): Promise<CampaignAttemptRecord[]> {
    return this.all<CampaignAttemptRecord>((page) =>
      this.instance.client.listCampaignAttempts(this.list(id, { ...change, page }), this.context),
    );
  }

  async faults(id: string, importId: string): Promise<{ line: number; reason: string }[]> {
    return this.all((page) => this.instance.client.listImportFaults(this.list(id, { importId, page }), this.context));
  }

  private async all<Item>(
    fetch: (page: { limit: number; cursor: string }) => Promise<{ document?: Document | undefined }>,
  ): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: Item[]; next_cursor: string | null } = jsonOf((await fetch({ limit: 100, cursor })).document);
      items.push(...page.data);
      cursor = page.next_cursor;
    }
    return items;
  }

  /** Cancels it and waits until nothing of it can be claimed any more: tests share the queue. */
  async end(id: string): Promise<void> {
    await this.cancel(id);
    await this.until(id, ({ statistics: { live, waiting, in_review } }) => live + waiting + in_review === 0);
  }

  /** Waits until the campaign is as wanted. */
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

/** What becomes of a call to a number: by its last digit as the simulator carrier has it. */
function endOf(to: string): { readonly reports: readonly (string | Reported)[]; readonly classification: string } {
  switch (to.slice(-1)) {
    case '1':
      return { reports: [{ type: 'failed', endedReason: 'busy' }], classification: '' };
    case '2':
      return { reports: [{ type: 'failed', endedReason: 'no_answer' }], classification: '' };
    case '3':
      return { reports: ['answered', { type: 'ended', endedReason: 'caller_hung_up' }], classification: 'voicemail' };
    case '4':
      return { reports: [{ type: 'failed', endedReason: 'carrier_failure' }], classification: '' };
    default:
      return { reports: ['answered', { type: 'ended', endedReason: 'caller_hung_up' }], classification: 'human' };
  }
}

/** Conducts a claimed call to its end. */
export async function conduct(instance: Instance, job: Job): Promise<void> {
  const { reports, classification } = endOf(callOfJob(job).to);
  await report(instance, job, 1, 'dialing', ...reports);
  await complete(instance, job, undefined, classification);
}

/** Claims until so many jobs are held; what is being placed comes a moment later. */
export async function claimed(instance: Instance, count: number): Promise<Job[]> {
  const jobs: Job[] = [];
  const deadline = Date.now() + 120_000;
  while (jobs.length < count) {
    if (Date.now() > deadline) throw new Error(`${jobs.length} jobs in place of ${count}`);
    jobs.push(...(await claim(instance, 50, 1)));
  }
  return jobs;
}

/** A worker that conducts whatever it can claim, until it is told to stop. */
export class CampaignWorker {
  /** Numbers in the order in which they were dialled. */
  readonly dialled: string[] = [];
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

  /** Without the permit nobody is dialled: the call was taken back in the meantime. */
  private async take(job: Job): Promise<void> {
    const permitted = await conduct(this.instance, job).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'ConflictError') return false;
        throw error;
      },
    );
    if (permitted) this.dialled.push(callOfJob(job).to);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }
}
