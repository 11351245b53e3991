import path from 'node:path';
import type { Database } from '@parley/runtime';
import { keptPlanTests } from '@parley/testing';
import { listAttempts, listDeliveries } from '../src/db/deliveries';
import { insertRecovery } from '../src/db/recoveries';

/** Every function of src/db that asks something, with the only ways by which its statements may reach their rows. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'deliveries.attemptsOf': ['attempts_pkey by delivery_id'],
  'deliveries.findDelivery': ['deliveries_pkey by id'],
  'deliveries.listAttempts': ['attempts_search by organization_id, endpoint_id'],
  'deliveries.listDeliveries': ['deliveries_search by organization_id, endpoint_id, status, event_type, id'],
  'deliveries.listDeliveries of every status': ['deliveries_listing by organization_id, endpoint_id, id'],
  'endpoint-secrets.rotateSecret': ['endpoint_secrets_pkey by endpoint_id'],
  'endpoints.findEndpoint': ['endpoints_pkey by id'],
  'endpoints.insertEndpoint': [],
  'endpoints.listEndpoints': ['endpoints_listing by organization_id'],
  'endpoints.lockEndpoint': ['endpoints_pkey by id'],
  'endpoints.markEndpointDeleted': ['endpoint_secrets_pkey by endpoint_id', 'endpoints_pkey by id'],
  'endpoints.saveEndpoint': ['endpoints_pkey by id'],
  'event-log.headOf': ['event_heads_pkey by organization_id'],
  'event-log.placeBefore': ['events_of_organization by organization_id, id'],
  'event-log.placeOfEvent': ['events_of_organization by organization_id, id'],
  'event-log.readLog': ['events_log by organization_id, type, log_seq', 'events_of_organization by organization_id'],
  'jobs/due-deliveries.dueDeliveries': [
    'deliveries_due by endpoint_id, next_attempt_at',
    'endpoint_secrets_pkey by endpoint_id',
    'endpoints_pkey by id',
    'events_pkey by id',
  ],
  'jobs/event-heads.headsOf': ['event_heads_pkey by organization_id'],
  'jobs/housekeeping.forgetOld': [
    'deliveries_age by created_at',
    'deliveries_pkey by id',
    'endpoints_pkey by id',
    'events_age by received_at',
    'events_pkey by id',
    'every row of endpoints',
    'every row of recoveries',
    'lanes_pkey by endpoint_id',
    'recoveries_pkey by id',
  ],
  'jobs/housekeeping.maintainPartitions': [],
  'jobs/lanes.leaseLanes': ['endpoints_pkey by id', 'lanes_due by standing, due_at', 'lanes_pkey by endpoint_id'],
  'jobs/lanes.leaveLanes': [
    'deliveries_due by endpoint_id, next_attempt_at',
    'lanes_leased by leased_by',
    'lanes_pkey by endpoint_id',
  ],
  'jobs/lanes.renewLanes': ['lanes_leased by leased_by'],
  'jobs/record-events.insertDeliveries': [],
  'jobs/record-events.insertEvents': [],
  'jobs/record-events.matchEndpoints': ['endpoints_of_project by organization_id, project_id', 'events_pkey by id'],
  'jobs/record-events.wakeLanes': ['lanes_pkey by endpoint_id'],
  'jobs/recoveries.claimRecovery': ['endpoints_pkey by id', 'whole recoveries_running'],
  'jobs/recoveries.recoverNext': ['deliveries_listing by organization_id, endpoint_id, id', 'deliveries_pkey by id'],
  'jobs/recoveries.saveStep': ['lanes_pkey by endpoint_id', 'recoveries_pkey by id'],
  'jobs/results.parkEndpoints': ['endpoints_pkey by id'],
  'jobs/results.parkWaiting': ['deliveries_due by endpoint_id', 'deliveries_pkey by id'],
  'jobs/results.resumeStranded': ['deliveries_pkey by id', 'endpoints_pkey by id', 'lanes_pkey by endpoint_id'],
  'jobs/results.writeResults': ['deliveries_pkey by id'],
  'jobs/results.writeStandings': ['lanes_leased by leased_by'],
  'owner-look-ups.ownerOfDelivery': ['deliveries_pkey by id'],
  'owner-look-ups.ownerOfEndpoint': ['endpoints_pkey by id'],
  'recoveries.insertRecovery': ['deliveries_listing by organization_id, endpoint_id, id'],
  'recoveries.listRecoveries': ['recoveries_listing by organization_id, endpoint_id'],
  'test-events.insertTestEvent': [],
  'waiting-deliveries.cancelWaiting': ['deliveries_pkey by id', 'deliveries_search by organization_id, endpoint_id'],
  'waiting-deliveries.restartLane': ['lanes_pkey by endpoint_id'],
  'waiting-deliveries.resumeParked': [
    'deliveries_pkey by id',
    'deliveries_search by organization_id, endpoint_id, status',
  ],
  'waiting-deliveries.retryNow': ['deliveries_pkey by id'],
  'waiting-deliveries.wakeLane': ['lanes_pkey by endpoint_id'],
};

/** What asks nothing, or not by itself, and minds what it is given. */
const others: readonly string[] = ['jobs/depths.observeDeliveries'];

const search = { since: null, until: null, limit: 20 };
const recovery = { id: 'rec_1', endpointId: 'ep_1', since: '2026-01-01T00:00:00Z', generation: 1, withFailed: true };

/** What another statement is made for, or times must be times for. */
const asked: Readonly<Record<string, (db: Database) => unknown>> = {
  'deliveries.listAttempts': (db) =>
    listAttempts(db, 'org_1', 'ep_1', { ...search, outcome: 'failed', type: 'call.ended' }),
  'deliveries.listDeliveries': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, status: 'failed', type: '', after: '' }),
  'deliveries.listDeliveries of every status': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, status: '', type: '', after: '' }),
  'recoveries.insertRecovery': (db) => insertRecovery(db, 'org_1', recovery),
};

/** Read whole, or from one end, with a reason. */
const read: Readonly<Record<string, string>> = {
  'every row of endpoints': 'forgetting what was deleted long ago: behind everything else',
  'every row of recoveries': 'forgetting old recoveries: behind everything else',
  'whole recoveries_running': 'the recovery that was worked on least: of the running ones, which are few',
};

describe('plans that are kept, made while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = keptPlanTests({ service, schema: 'webhooks', expected, others, asked, read });

  it.each(Object.keys(expected))(
    'decisions 6: %s goes by the index that fits when the tables are full',
    goesAsExpected,
  );
});
