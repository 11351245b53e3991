/** The list's filters in the URL. Unknown ones are dropped. */
export interface CallSearch {
  readonly status?: CallStatus;
  readonly direction?: 'inbound' | 'outbound';
  readonly agent?: string;
  readonly from?: string;
  readonly to?: string;
  /** ISO 8601, or a relative period. */
  readonly since?: string;
  readonly until?: string;
}

export const callStatuses = [
  'scheduled',
  'queued',
  'dialing',
  'answered',
  'ended',
  'completed',
  'failed',
  'canceled',
  'policy_blocked',
  'needs_review',
] as const;
export type CallStatus = (typeof callStatuses)[number];

export const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
type Span = keyof typeof spans;

const isStatus = (value: unknown): value is CallStatus => (callStatuses as readonly unknown[]).includes(value);
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? `+${value}` : undefined;

export function callSearch(search: Record<string, unknown>): CallSearch {
  const { status, direction } = search;
  const found = {
    status: isStatus(status) ? status : undefined,
    direction: direction === 'inbound' || direction === 'outbound' ? direction : undefined,
    agent: text(search['agent']),
    from: text(search['from']),
    to: text(search['to']),
    since: text(search['since']),
    until: text(search['until']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const isSpan = (value: string): value is Span => value in spans;

/** A period is rounded to the minute, so that the same view has the same query. */
function timeOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!isSpan(value)) return Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString();
  return new Date(Math.floor(Date.now() / 60_000) * 60_000 - spans[value]).toISOString();
}

export const queryOf = ({ status, direction, agent, from, to, since, until }: CallSearch) => ({
  status,
  direction,
  agent_id: agent,
  from,
  to,
  since: timeOf(since),
  until: timeOf(until),
});
