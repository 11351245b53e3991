import { eventAccess, eventTypes, isEventType, isTimestamp, limits, type EventType } from '@parley/contract';
import { badRequest, missingScope } from '@parley/errors';
import { decodeCursor, encodeCursor, isId, leastIdAt, type Database } from '@parley/runtime';
import { readHead, placeBefore, placeOfEvent, readLog, type LoggedEventRow } from './event-log.sql';
import type { EventTail } from './event-tail';
import { payloadFor } from './payload.rules';

export interface EventLogDependencies {
  readonly db: Database;
  readonly tail: EventTail;
}

export interface ListEvents {
  readonly organizationId: string;
  /** The caller's scopes, expanded. */
  readonly scopes: readonly string[];
  /** The position after which to list: a cursor, an event id or an ISO 8601 time; empty: from the oldest event. */
  readonly after: string;
  /** Empty for all types that the caller may see. */
  readonly types: readonly string[];
  /** Only events of this agent, of this resource; empty: of any. */
  readonly agentId: string;
  readonly resourceId: string;
  /** 0 for the default. */
  readonly limit: number;
  /** How many milliseconds to wait if there are no events; at most 20 000. */
  readonly waitMs: number;
  /** With an empty `after`: list only events stored from now on. */
  readonly fromNow: boolean;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface LoggedEvent extends LoggedEventRow {
  readonly cursor: string;
}

export interface EventsPage {
  readonly events: readonly LoggedEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

const maxBytes = 1024 * 1024;
const longestWaitMs = 20_000;

/**
 * GET /v1/events (docs/reference/endpoints-and-events.md): lists an organization's events in the order in which they were stored, starting anywhere in the last
 * 30 days. Event types whose resource the caller may not read are omitted. @throws BadRequestError; ForbiddenError for a requested type without its scope
 */
export async function listEvents({ db, tail }: EventLogDependencies, request: ListEvents): Promise<EventsPage> {
  const { organizationId, agentId, resourceId, signal } = request;
  if (organizationId === '') throw badRequest('organization_id is required: the credential belongs to no organization');
  const types = visibleTypes(request.types, request.scopes);
  const limit = request.limit === 0 ? limits.pageSizeDefault : request.limit;
  if (limit < limits.pageSize.min || limit > limits.pageSize.max) throw badRequest('limit is out of bounds');
  let after = await resolvePlace(db, request);
  const until = performance.now() + Math.min(request.waitMs, longestWaitMs);
  for (;;) {
    // The head is read before the events. Everything up to it is committed by then, so no event can appear later below it.
    const head = await readHead(db, organizationId);
    const { rows, hasMore } = await readLog(db, organizationId, { types, agentId, resourceId, after, limit, maxBytes });
    const last = rows.at(-1);
    const reached = hasMore ? Number(last?.log_seq ?? after) : Math.max(head, after, Number(last?.log_seq ?? 0));
    const left = until - performance.now();
    if (rows.length > 0 || left <= 0 || signal.aborted || tail.closed) {
      const events = rows.map((row) => ({
        ...row,
        payload: payloadFor(row.type, row.payload, request.scopes),
        cursor: encodeCursor([row.log_seq]),
      }));
      return { events, nextCursor: encodeCursor([reached]), hasMore };
    }
    after = reached;
    await tail.wait(organizationId, after, left, signal);
  }
}

/** The event types matching a prefix such as `call.` that are visible to the caller. @throws AppError 403 if none is */
function visibleUnder(beginning: string, scopes: readonly string[]): EventType[] {
  const all = eventTypes.filter((type) => type.startsWith(beginning));
  const visible = all.filter((type) => scopes.includes(eventAccess[type].read));
  const [first] = all;
  if (visible.length === 0 && first !== undefined) throw missingScope(eventAccess[first].read);
  return visible;
}

function visibleTypes(asked: readonly string[], scopes: readonly string[]): EventType[] {
  const named = asked.flatMap((name) => (name.endsWith('.*') ? visibleUnder(name.slice(0, -1), scopes) : [name]));
  const hidden = named.find((type) => isEventType(type) && !scopes.includes(eventAccess[type].read));
  if (hidden !== undefined && isEventType(hidden)) throw missingScope(eventAccess[hidden].read);
  return eventTypes.filter(
    (type) => (asked.length === 0 || named.includes(type)) && scopes.includes(eventAccess[type].read),
  );
}

/** The position in the log after which to read. */
async function resolvePlace(db: Database, { organizationId, after, fromNow }: ListEvents): Promise<number> {
  if (after === '') return fromNow ? readHead(db, organizationId) : 0;
  if (isId('evt', after)) {
    const place = await placeOfEvent(db, organizationId, after);
    if (place === undefined) throw badRequest('after names an event that is not in the log');
    return place;
  }
  if (isTimestamp(after)) {
    const place = await placeBefore(db, organizationId, leastIdAt('evt', new Date(after)));
    return place ?? readHead(db, organizationId);
  }
  return cursorPlace(after);
}

function cursorPlace(after: string): number {
  try {
    const [place = '0'] = decodeCursor(after, 1, ['integer']);
    return Math.max(Number(place), 0);
  } catch {
    throw badRequest('after must be a cursor of this log, an event id or an ISO 8601 time');
  }
}
