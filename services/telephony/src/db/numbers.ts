import type { Queryable } from '@parley/runtime';

export interface NumberRow {
  readonly number_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly phone_number: string;
  readonly provider: string;
  readonly inbound_agent_id: string | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns =
  'number_id, organization_id, project_id, phone_number, provider, inbound_agent_id, revision, created_at, updated_at';

export interface NewNumber {
  readonly numberId: string;
  readonly projectId: string;
  readonly phoneNumber: string;
  readonly provider: string;
  readonly inboundAgentId: string | null;
}

/** The stored number; undefined when the phone number is live already, whoever holds it. */
export async function insertNumber(
  tx: Queryable,
  organizationId: string,
  number: NewNumber,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-insert',
    text: `insert into numbers (organization_id, number_id, project_id, phone_number, provider, inbound_agent_id)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (phone_number) where released_at is null do nothing
           returning ${columns}`,
    values: [
      organizationId,
      number.numberId,
      number.projectId,
      number.phoneNumber,
      number.provider,
      number.inboundAgentId,
    ],
  });
  return rows[0];
}

/** Newest first; `projectId` empty for all projects, `before` empty for the first page. */
export async function listNumbers(
  db: Queryable,
  organizationId: string,
  projectId: string,
  before: string,
  limit: number,
): Promise<NumberRow[]> {
  const { rows } = await db.query<NumberRow>({
    name: 'number-list',
    text: `select ${columns} from numbers
           where organization_id = $1 and (released_at is null) is true
             and ($2 = '' or project_id = $2) and ($3 = '' or number_id < $3)
           order by number_id desc limit $4`,
    values: [organizationId, projectId, before, limit],
  });
  return rows;
}

export async function lockNumber(
  tx: Queryable,
  organizationId: string,
  numberId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-lock',
    text: `select ${columns} from numbers
           where organization_id = $1 and number_id = $2 and released_at is null for update`,
    values: [organizationId, numberId],
  });
  return rows[0];
}

export async function findNumber(
  db: Queryable,
  organizationId: string,
  numberId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await db.query<NumberRow>({
    name: 'number-find',
    text: `select ${columns} from numbers where organization_id = $1 and number_id = $2 and released_at is null`,
    values: [organizationId, numberId],
  });
  return rows[0];
}

/** Attaches or detaches (null) the agent that answers; the caller holds the row's lock. */
export async function writeInboundAgent(
  tx: Queryable,
  organizationId: string,
  numberId: string,
  inboundAgentId: string | null,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-write-agent',
    text: `update numbers set inbound_agent_id = $3, revision = revision + 1, updated_at = now()
           where organization_id = $1 and number_id = $2 and released_at is null returning ${columns}`,
    values: [organizationId, numberId, inboundAgentId],
  });
  return rows[0];
}
