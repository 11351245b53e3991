import path from 'node:path';
import type { Database } from '@parley/runtime';
import { genericPlanTests } from '@parley/testing';
import { listAttempts, listDeliveries } from '../src/deliveries/deliveries.sql';
import { insertRecovery } from '../src/endpoints/recoveries.sql';
import { readLog } from '../src/events/event-log.sql';

/** Every function with SQL, and the only access paths that its statements may use. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'deliveries/deliveries.findAttempts': ['attempts_pkey by delivery_id'],
  'deliveries/deliveries.findDelivery': ['deliveries_by_id by id'],
  'deliveries/deliveries.listAttempts': ['attempts_search by organization_id, endpoint_id'],
  'deliveries/deliveries.listDeliveries': ['deliveries_search by organization_id, endpoint_id, status, event_type, id'],
  'deliveries/deliveries.listDeliveries of every status': ['deliveries_listing by organization_id, endpoint_id, id'],
  'deliveries/deliveries.listDeliveries oldest first': [
    'deliveries_search by organization_id, endpoint_id, status, event_type, id',
  ],
  'deliveries/deliveries.listDeliveries of every status, oldest first': [
    'deliveries_listing by organization_id, endpoint_id, id',
  ],
  'deliveries/deliveries.retryNow': ['deliveries_by_id by id'],
  'deliveries/due-deliveries.cross-tenant.ownerOfDelivery': ['deliveries_by_id by id'],
  'deliveries/depths.cross-tenant.readDepths': ['endpoint_queues_due by health, due_at'],
  'deliveries/due-deliveries.cross-tenant.dueDeliveries': [
    'deliveries_due by endpoint_id, next_attempt_at',
    'endpoint_secrets_pkey by endpoint_id',
    'endpoints_pkey by id',
    'events_pkey by id',
  ],
  'deliveries/housekeeping.cross-tenant.forgetOld': [
    'endpoint_queues_pkey by endpoint_id',
    'endpoints_pkey by id',
    'every row of recoveries',
    'recoveries_pkey by id',
    'whole endpoints_deleted',
  ],
  'deliveries/endpoint-leases.cross-tenant.leaseEndpoints': [
    'endpoint_queues_due by health, due_at',
    'endpoint_queues_pkey by endpoint_id',
    'endpoints_pkey by id',
  ],
  'deliveries/endpoint-leases.cross-tenant.releaseEndpoints': [
    'deliveries_due by endpoint_id, next_attempt_at',
    'endpoint_queues_pkey by endpoint_id',
  ],
  'deliveries/endpoint-leases.cross-tenant.renewLeases': ['endpoint_queues_pkey by endpoint_id'],
  'deliveries/results.cross-tenant.parkEndpoints': ['endpoints_pkey by id'],
  'deliveries/results.cross-tenant.parkWaiting': [
    'deliveries_by_id by id',
    'deliveries_due by endpoint_id',
    'deliveries_stray_age by event_id',
  ],
  'deliveries/results.cross-tenant.resumeStranded': [
    'deliveries_by_id by id',
    'deliveries_stray_age by event_id',
    'endpoint_queues_pkey by endpoint_id',
    'endpoints_pkey by id',
  ],
  'deliveries/results.cross-tenant.writeResults': ['deliveries_by_id by id', 'deliveries_stray_age by event_id'],
  'deliveries/results.cross-tenant.writeHealth': ['endpoint_queues_pkey by endpoint_id'],
  'deliveries/test-events.insertTestEvent': [],
  'events/erase-events.eraseDeadLetters': ['every row of dead_letters'],
  'endpoints/endpoint-owner.cross-tenant.ownerOfEndpoint': ['endpoints_pkey by id'],
  'endpoints/endpoint-secrets.rotateSecret': ['endpoint_secrets_pkey by endpoint_id'],
  'endpoints/endpoints.countEndpointsLocked': ['endpoints_listing by organization_id'],
  'endpoints/endpoints.findEndpoint': ['endpoints_pkey by id'],
  'endpoints/endpoints.insertEndpoint': [],
  'endpoints/endpoints.findAudioStreams': ['endpoints_of_project by organization_id, project_id'],
  'endpoints/endpoints.listEndpoints': ['endpoints_of_project by organization_id'],
  'endpoints/endpoints.lockEndpoint': ['endpoints_pkey by id'],
  'endpoints/endpoints.markEndpointDeleted': ['endpoint_secrets_pkey by endpoint_id', 'endpoints_pkey by id'],
  'endpoints/endpoints.saveEndpoint': ['endpoints_pkey by id'],
  'endpoints/recoveries.cross-tenant.claimRecovery': ['endpoints_pkey by id', 'whole recoveries_running'],
  'endpoints/recoveries.cross-tenant.recoverNext': [
    'deliveries_by_id by id',
    'deliveries_listing by organization_id, endpoint_id, id',
    'deliveries_stray_age by event_id',
  ],
  'endpoints/recoveries.cross-tenant.saveStep': ['endpoint_queues_pkey by endpoint_id', 'recoveries_pkey by id'],
  'endpoints/recoveries.insertRecovery': ['deliveries_listing by organization_id, endpoint_id, id'],
  'endpoints/recoveries.listRecoveries': ['recoveries_listing by organization_id, endpoint_id'],
  'endpoints/waiting-deliveries.cancelWaiting': [
    'deliveries_by_id by id',
    'deliveries_search by organization_id, endpoint_id',
    'deliveries_stray_age by event_id',
  ],
  'endpoints/waiting-deliveries.restartQueue': ['endpoint_queues_pkey by endpoint_id'],
  'endpoints/waiting-deliveries.resumeParked': [
    'deliveries_by_id by id',
    'deliveries_search by organization_id, endpoint_id, status',
    'deliveries_stray_age by event_id',
  ],
  'endpoints/waiting-deliveries.wakeQueue': ['endpoint_queues_pkey by endpoint_id'],
  'events/event-heads.cross-tenant.readHeads': ['event_heads_pkey by organization_id'],
  'events/event-log.readHead': ['event_heads_pkey by organization_id'],
  'events/event-log.placeBefore': ['events_of_organization by organization_id, id'],
  'events/event-log.placeOfEvent': ['events_of_organization by organization_id, id'],
  'events/event-log.payloadsAt': ['events_log by organization_id, type, log_seq'],
  'events/event-log.readLog': [
    'events_log by organization_id, type, log_seq',
    'events_of_resource by resource_id, organization_id, type, log_seq',
  ],
  'events/event-log.readLog of an agent': [
    'events_log by organization_id, type, log_seq',
    'events_of_agent by agent_id, organization_id, type, log_seq',
  ],
  'events/event-log.readLog of a resource': [
    'events_log by organization_id, type, log_seq',
    'events_of_resource by resource_id, organization_id, type, log_seq',
  ],
  'events/event-log.readLog of every event': ['events_log by organization_id, type, log_seq'],
  'events/record-events.cross-tenant.insertDeliveries': [],
  'events/record-events.cross-tenant.insertEvents': [],
  'events/record-events.cross-tenant.knownEvents': ['events_pkey by id'],
  'events/record-events.cross-tenant.matchEndpoints': [
    'endpoints_of_project by organization_id, project_id',
    'events_pkey by id',
  ],
  'events/record-events.cross-tenant.wakeQueues': ['endpoint_queues_pkey by endpoint_id'],
};

const search = { since: null, until: null, limit: 20, ascending: false };
const log = { types: ['call.ended'], agentId: '', resourceId: '', after: 0, limit: 20, maxBytes: 1024 };
const recovery = { id: 'rec_1', endpointId: 'ep_1', since: '2026-01-01T00:00:00Z', generation: 1, withFailed: true };

/** Calls with meaningful arguments, for functions whose statements depend on them or that require valid times. */
const asked: Readonly<Record<string, (db: Database) => unknown>> = {
  'deliveries/deliveries.listAttempts': (db) =>
    listAttempts(db, 'org_1', 'ep_1', { ...search, outcome: 'failed', type: 'call.ended' }),
  'deliveries/deliveries.listDeliveries': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, status: 'failed', type: '', after: '' }),
  'deliveries/deliveries.listDeliveries of every status': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, status: '', type: '', after: '' }),
  'deliveries/deliveries.listDeliveries oldest first': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, ascending: true, status: 'failed', type: '', after: 'dlv_1' }),
  'deliveries/deliveries.listDeliveries of every status, oldest first': (db) =>
    listDeliveries(db, 'org_1', 'ep_1', { ...search, ascending: true, status: '', type: '', after: 'dlv_1' }),
  'events/event-log.readLog of an agent': (db) => readLog(db, 'org_1', { ...log, agentId: 'agt_1' }),
  'events/event-log.readLog of a resource': (db) => readLog(db, 'org_1', { ...log, resourceId: 'call_1' }),
  'events/event-log.readLog of every event': (db) => readLog(db, 'org_1', log),
  'endpoints/recoveries.insertRecovery': (db) => insertRecovery(db, 'org_1', recovery),
};

/** Allowed complete scans, or scans from one end of an index, with the reason. */
const read: Readonly<Record<string, string>> = {
  'every row of dead_letters': 'what could not be handled, a few rows, when something is erased',
  'whole endpoints_deleted': 'forgetting what was deleted long ago: behind everything else',
  'every row of recoveries': 'forgetting old recoveries: behind everything else',
  'whole recoveries_running': 'the recovery that was worked on least: of the running ones, which are few',
};

describe('generic plans, prepared while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'webhooks', expected, others: [], asked, read });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});
