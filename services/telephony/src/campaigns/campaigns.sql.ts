import type { CampaignStatus } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Campaign, CampaignSettings } from './campaign.rules';

/** Every column with the function that returns its value for a campaign. */
const values: Readonly<Record<string, (campaign: Campaign) => unknown>> = {
  campaign_id: (c) => c.campaignId,
  project_id: (c) => c.projectId,
  agent_id: (c) => c.agentId,
  name: (c) => c.name,
  from_number: (c) => c.from,
  settings: (c) => JSON.stringify(c.settings),
  ends_at: (c) => c.endsAt,
  status: (c) => c.status,
  paused_reason: (c) => c.pausedReason,
  end_reason: (c) => c.endReason,
  waits_for: (c) => c.waitsFor,
  revision: (c) => c.revision,
  progress: (c) => c.progress,
  resource_seq: (c) => c.resourceSeq,
  contacts: (c) => c.contacts,
  pending: (c) => c.pending,
  live: (c) => c.live,
  waiting: (c) => c.waiting,
  in_review: (c) => c.inReview,
  completed: (c) => c.completed,
  attempts: (c) => c.attempts,
  outcomes: (c) => JSON.stringify(c.outcomes),
  recent: (c) => c.recent,
  last_attempts: (c) => c.lastAttempts,
  next_run_at: (c) => c.nextRunAt,
  launched_at: (c) => c.launchedAt,
  paused_at: (c) => c.pausedAt,
  completed_at: (c) => c.completedAt,
  canceled_at: (c) => c.canceledAt,
  created_at: (c) => c.createdAt,
  updated_at: (c) => c.updatedAt,
};
const names = Object.keys(values);

export interface CampaignRow {
  readonly campaign_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly from_number: string;
  readonly settings: string;
  readonly ends_at: Date | null;
  readonly status: CampaignStatus;
  readonly paused_reason: string | null;
  readonly end_reason: string | null;
  readonly waits_for: string | null;
  readonly revision: number;
  readonly progress: string;
  readonly resource_seq: number;
  readonly contacts: number;
  readonly pending: number;
  readonly live: number;
  readonly waiting: number;
  readonly in_review: number;
  readonly completed: number;
  readonly attempts: number;
  readonly outcomes: string;
  readonly recent: string;
  readonly last_attempts: string;
  readonly next_run_at: Date | null;
  readonly launched_at: Date | null;
  readonly paused_at: Date | null;
  readonly completed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function campaignOf(row: CampaignRow): Campaign {
  return {
    campaignId: row.campaign_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    agentId: row.agent_id,
    name: row.name,
    from: row.from_number,
    settings: JSON.parse(row.settings) as CampaignSettings,
    endsAt: row.ends_at,
    status: row.status,
    pausedReason: row.paused_reason,
    endReason: row.end_reason,
    waitsFor: row.waits_for,
    revision: row.revision,
    progress: Number(row.progress),
    resourceSeq: row.resource_seq,
    contacts: row.contacts,
    pending: row.pending,
    live: row.live,
    waiting: row.waiting,
    inReview: row.in_review,
    completed: row.completed,
    attempts: row.attempts,
    outcomes: JSON.parse(row.outcomes) as Campaign['outcomes'],
    recent: row.recent,
    lastAttempts: row.last_attempts,
    nextRunAt: row.next_run_at,
    launchedAt: row.launched_at,
    pausedAt: row.paused_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const valuesOf = (campaign: Campaign): unknown[] => names.map((name) => values[name]?.(campaign));

const insertText = `insert into campaigns (organization_id, ${names.join(', ')})
  values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})`;

export async function insertCampaign(tx: Queryable, organizationId: string, campaign: Campaign): Promise<void> {
  await tx.query({ name: 'campaign-insert', text: insertText, values: [organizationId, ...valuesOf(campaign)] });
}

/** Whether both would be stored as the same row. */
export const isSameCampaign = (one: Campaign, other: Campaign): boolean =>
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other));

const writeText = `update campaigns set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')}
   where organization_id = $1 and campaign_id = $2`;

/** Updates a campaign; the caller has locked it. */
export async function writeCampaign(tx: Queryable, organizationId: string, campaign: Campaign): Promise<void> {
  await tx.query({ name: 'campaign-write', text: writeText, values: [organizationId, ...valuesOf(campaign)] });
}

/** Undefined if the campaign does not exist or belongs to another organization. */
export async function findCampaign(
  db: Queryable,
  organizationId: string,
  campaignId: string,
): Promise<Campaign | undefined> {
  const { rows } = await db.query<CampaignRow>({
    name: 'campaign-find',
    text: 'select * from campaigns where organization_id = $1 and campaign_id = $2',
    values: [organizationId, campaignId],
  });
  return rows[0] && campaignOf(rows[0]);
}

export interface LockedCampaign {
  readonly campaign: Campaign;
  /** The database's clock. */
  readonly now: Date;
}

/**
 * Locks the campaign until the transaction ends. Lock order: the campaign before its contacts, attempts and calls.
 * @param skip undefined is also returned if another transaction has locked it
 */
export async function lockCampaign(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  skip = false,
): Promise<LockedCampaign | undefined> {
  const { rows } = await tx.query<LockedRow>({
    name: `campaign-lock${skip ? '-skip' : ''}`,
    text: `select *, clock_timestamp() as now from campaigns
           where organization_id = $1 and campaign_id = $2 for update${skip ? ' skip locked' : ''}`,
    values: [organizationId, campaignId],
  });
  return lockedOf(rows[0]);
}

export type LockedRow = CampaignRow & { readonly now: Date };

export const lockedOf = (row: LockedRow | undefined): LockedCampaign | undefined =>
  row && { campaign: campaignOf(row), now: row.now };

export interface CampaignFilter {
  /** Filters; an empty string means no filter. */
  readonly projectId: string;
  readonly agentId: string;
  readonly status: string;
  /** Oldest first instead of newest first. */
  readonly ascending: boolean;
  /** Return only campaigns after this one in the chosen order; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

export async function listCampaigns(
  db: Queryable,
  organizationId: string,
  { projectId, agentId, status, ascending, after, limit }: CampaignFilter,
): Promise<Campaign[]> {
  const values: unknown[] = [organizationId, limit];
  const filters = [
    ['agent_id =', agentId],
    ['project_id =', projectId],
    ['status =', status],
    [`campaign_id ${ascending ? '>' : '<'}`, after],
  ]
    .filter(([, value]) => value !== '')
    .map(([condition, value]) => ` and ${condition} $${values.push(value)}`);
  // A range instead of an equality makes the planner use an index on organization and id for the order; a scan of the primary key would pass the campaigns of all
  // other organizations.
  const oldestFirst = `select * from campaigns where organization_id = $1 and organization_id between $1 and $1${filters.join('')}
           order by organization_id, campaign_id limit $2`;
  const newestFirst = `select * from campaigns where organization_id = $1${filters.join('')} order by campaign_id desc limit $2`;
  // Not a named prepared statement, because the text depends on the filters.
  const { rows } = await db.query<CampaignRow>({ text: ascending ? oldestFirst : newestFirst, values });
  return rows.map(campaignOf);
}

/** Whether the key launched or resumed the campaign. */
export async function isStarter(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  keyId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-starter',
    text: 'select 1 from campaign_starts where organization_id = $1 and campaign_id = $2 and key_id = $3',
    values: [organizationId, campaignId, keyId],
  });
  return rowCount > 0;
}

/** Records that the key launched or resumed the campaign. */
export async function insertStart(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  keyId: string,
): Promise<void> {
  await tx.query({
    name: 'campaign-start-insert',
    text: `insert into campaign_starts (organization_id, campaign_id, key_id) values ($1, $2, $3)
           on conflict (organization_id, campaign_id, key_id) do nothing`,
    values: [organizationId, campaignId, keyId],
  });
}
