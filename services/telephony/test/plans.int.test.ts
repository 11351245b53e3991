import path from 'node:path';
import type { Database } from '@parley/runtime';
import { genericPlanTests } from '@parley/testing';
import { listCalls } from '../src/books/calls/calls.sql';
import { lockCampaign } from '../src/campaigns/campaigns.sql';
import type { ListFilter } from '../src/filters.rules';
import { countWaiting } from '../src/books/queue/waiting.cross-tenant.sql';

/** How a counter row is found; counter-row.sql.ts. */
const byEra = "organization_controls_by_era by (organization_id || ''::text), era";
/** How the queue of an organization is found; organization-queue.sql.ts. */
const queueOf = "organization_queues_of_organization by (organization_id || ''::text), last_served_at";

/** A campaign's row is found by its location first; plans do not distinguish that from a scan. */
const campaignPlace = 'every row of campaigns';

/** All functions with SQL statements, with the only access paths that their statements may use. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'books/analytics/call-rollups.databaseTime': [],
  'books/analytics/call-rollups.sumRollups': [
    'call_rollup_deltas_of_organization by organization_id, added_at',
    'call_rollups_pkey by organization_id, hour',
  ],
  'books/analytics/fold-deltas.cross-tenant.foldDeltas': [
    'call_rollup_deltas_oldest by added_at',
    'call_rollup_deltas_pkey by delta_id',
    'merge',
  ],
  'books/analytics/fold-deltas.cross-tenant.raiseDeltaFloor': ['call_rollup_deltas_oldest by added_at'],
  'books/analytics/rollup-deltas.addDelta': [],
  'books/analytics/usage.sumCalls': [
    'call_rollup_deltas_of_organization by organization_id, added_at',
    'call_rollups_pkey by organization_id, hour',
  ],
  'books/analytics/usage.sumMessages': ['messages_of_agent by organization_id, message_id'],
  'dispatch/workers/worker-list.cross-tenant.listWorkerRows': [
    'jobs_leased by leased_at',
    'worker_capabilities_pkey by organization_id',
  ],
  'dispatch/worker-jobs/job-list.cross-tenant.listJobRows': [
    'calls_of_organization by organization_id, call_id',
    'whole jobs_leased',
  ],
  'books/calls/calls.hasLiveCalls': [
    'calls_of_agent by organization_id, agent_id, call_id',
    'jobs_waiting by organization_id, available_at',
    'whole jobs_adoptable',
    'whole jobs_leased',
  ],
  'intake/admission/admission-snapshot.readAdmissionSnapshot': [
    'idempotency_pkey by organization_id, route, key',
    'numbers_claimed by phone_number',
    'numbers_of_project by organization_id',
    byEra,
    'organization_policies_pkey by organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'intake/admission/admission-snapshot.numbersOfProject': ['numbers_of_project by organization_id, project_id'],
  'books/calls/call-events.appendCallEvents': [],
  'books/calls/call-events.listCallEvents': ['call_events_pkey by call_id, resource_seq'],
  'books/calls/call-insert.databaseNow': [],
  'books/calls/call-insert.insertCall': [],
  'books/calls/calls.findCall': ['calls_pkey by call_id'],
  'books/calls/calls.listCalls of a campaign, the second page': [
    'calls_pkey by call_id',
    'campaign_attempts_calls by campaign_id, organization_id, call_id',
  ],
  'books/calls/calls.listCalls by metadata': [
    'call_metadata_search by name, value, organization_id',
    'calls_pkey by call_id',
  ],
  'books/calls/calls.listCalls by metadata, oldest first, the second page': [
    'call_metadata_search by name, value, organization_id, call_id',
    'calls_pkey by call_id',
  ],
  'books/calls/calls.lockCall': ['calls_pkey by call_id'],
  'books/calls/calls.writeCall': ['calls_pkey by call_id'],
  'campaigns/attempts.callOfKey': ['idempotency_pkey by organization_id, route, key'],
  'campaigns/attempts.findAttempt': ['campaign_attempts_of_campaign by organization_id, campaign_id, attempt_id'],
  'campaigns/attempts.insertAttempts': [],
  'campaigns/attempts.listAttempts': ['campaign_attempts_of_campaign by organization_id, campaign_id'],
  'campaigns/attempts.listOpenAttempts': [
    'calls_pkey by call_id',
    'campaign_attempts_open by organization_id, campaign_id, ready_at',
    'campaign_contacts_pkey by contact_id',
  ],
  'campaigns/attempts.markWithdrawn': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/attempts.writeAttempts': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/campaigns.findCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/campaigns.insertCampaign': [],
  'campaigns/campaigns.listCampaigns': ['campaigns_of_project by project_id, organization_id, campaign_id'],
  'campaigns/campaigns.lockCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/campaigns.lockCampaign where it was last': [
    'campaigns_of_organization by organization_id, campaign_id',
    campaignPlace,
  ],
  'campaigns/campaigns.writeCampaign': ['campaigns_of_organization by organization_id, campaign_id', campaignPlace],
  'campaigns/contacts.addContacts': [],
  'campaigns/contacts.claimContacts': [
    'campaign_contacts_due by organization_id, campaign_id, next_attempt_at',
    'campaign_contacts_pkey by contact_id',
  ],
  'campaigns/contacts.listContacts': ['campaign_contacts_of_campaign by organization_id, campaign_id'],
  'campaigns/contacts.listContactsAfter': ['campaign_contacts_of_campaign by organization_id, campaign_id, contact_id'],
  'campaigns/contacts.nextContactDue': ['campaign_contacts_due by organization_id, campaign_id, next_attempt_at'],
  'campaigns/contacts.writeContacts': ['campaign_contacts_pkey by contact_id'],
  'campaigns/imports.addImportFaults': [],
  'campaigns/imports.findImport': ['campaign_imports_of_campaign by organization_id, campaign_id, import_id'],
  'campaigns/imports.firstImportFaults': ['campaign_import_faults_pkey by import_id'],
  'campaigns/imports.listFaults': ['campaign_import_faults_pkey by import_id, line'],
  'campaigns/imports.listImports': ['campaign_imports_of_campaign by organization_id, campaign_id'],
  'campaigns/imports.putImport': [],
  'intake/sip/sip-peers.cross-tenant.listSipPeers': [
    'sip_trunks_of_organization by organization_id, sip_trunk_id',
    'whole numbers_of_sip_trunk',
  ],
  'network/numbers/carrier-credentials.listCarrierAccounts': [
    'carrier_credentials_organization_id_provider_account_sid_key by organization_id, provider',
  ],
  'network/numbers/carrier-credentials.listCarrierCredentialRows': [
    'carrier_credentials_organization_id_provider_account_sid_key by organization_id',
  ],
  'network/numbers/carrier-credentials.lockCarrierCredential': [
    'carrier_credentials_of_account by provider, account_sid',
  ],
  'network/numbers/carrier-credentials.writeCarrierCredential': [],
  'lines/lines/carrier-lines.findCallOfLine': [
    'carrier_lines_of_carrier by carrier_call_id, organization_id, provider, account_sid',
    'carrier_lines_pkey by call_id',
  ],
  'lines/lines/carrier-lines.insertLine': [],
  'lines/lines/carrier-lines.knownCarrierCalls': [
    'carrier_lines_of_carrier by carrier_call_id, organization_id, provider, account_sid',
  ],
  'lines/lines/carrier-lines.lockLine': ['carrier_lines_pkey by call_id'],
  'lines/lines/carrier-lines.makeLineDue': ['carrier_lines_pkey by call_id'],
  'lines/lines/carrier-lines.writeLine': ['carrier_lines_pkey by call_id'],
  'intake/inbound/inbound-calls.findCallOfCarrier': ['inbound_calls_pkey by organization_id, gateway_call_id'],
  'intake/inbound/inbound-calls.findInboundCall': ['inbound_calls_pkey by organization_id, gateway_call_id, router'],
  'intake/inbound/inbound-calls.insertHeldJob': [],
  'intake/inbound/inbound-calls.nameInboundCall': [],
  'books/calls/input-logs.findInputLog': ['call_input_logs_pkey by call_id'],
  'books/calls/input-logs.putInputLog': [],
  'intake/inbound/pin-attempts.forgetPinAttempt': ['phone_pin_attempts_pkey by organization_id, phone_number'],
  'intake/inbound/pin-attempts.pinAttemptInSeconds': ['phone_pin_attempts_pkey by organization_id, phone_number'],
  'intake/inbound/pin-attempts.takePinAttempt': [],
  'books/queue/adoption.cross-tenant.findByToken': [
    'calls_pkey by call_id',
    'job_reports_ids by job_id, epoch',
    'jobs_by_adopt_token by adopt_token_hash',
  ],
  'books/queue/adoption.cross-tenant.insertAdoptableJob': ['calls_pkey by call_id'],
  'books/queue/adoption.cross-tenant.leaseAdoptable': ['jobs_pkey by job_id'],
  'books/queue/adoption.cross-tenant.lockUnadopted': ['jobs_adoptable by adopt_before'],
  'campaigns/due-campaigns.cross-tenant.anyCampaignDue': ['campaigns_to_run by next_run_at'],
  'campaigns/due-campaigns.cross-tenant.lockDueCampaign': ['campaigns_to_run by next_run_at'],
  'campaigns/due-campaigns.cross-tenant.postponeCampaign': ['campaigns_pkey by campaign_id'],
  'books/queue/claim.cross-tenant.anyWaiting': [
    'jobs_waiting by organization_id, dialer, priority, available_at',
    'organization_queues_by_service by last_served_at',
  ],
  'books/queue/claim.cross-tenant.claimNext': [
    'calls_pkey by call_id',
    'jobs_pkey by job_id',
    'jobs_waiting by organization_id, dialer, priority, available_at',
    'organization_queues_by_service by last_served_at',
  ],
  'books/queue/claim.cross-tenant.readWaitingSince': [
    'jobs_waiting by organization_id, dialer, priority, available_at',
    'organization_queues_by_service by last_served_at',
  ],
  'after/erasure/erasures.cross-tenant.claimErasure': [
    'erasures_of_organization by organization_id, erasure_id',
    'whole erasures_running',
  ],
  'after/erasure/erasures.findErasure': [
    'erased_copies_of_erasure by erasure_id',
    "erased_copies_of_organization by (organization_id || ''::text), erased_at",
    'erasures_pkey by erasure_id',
  ],
  'after/erasure/erasures.noteErased': ['erasures_pkey by erasure_id'],
  'after/erasure/erasures.settleErasure': [
    'erased_copies_of_erasure by erasure_id',
    "erased_copies_of_organization by (organization_id || ''::text), erased_at",
    'erasures_pkey by erasure_id',
  ],
  'after/erasure/message-data.eraseMessageRows': [
    'calls_pkey by call_id',
    'idempotency_created_at by created_at',
    'idempotency_pkey by organization_id, route, key',
    'message_jobs_pkey by message_id',
    'messages_pkey by message_id',
    'translation_jobs_pkey by resource_id',
  ],
  'after/erasure/with-number.callsWithNumber': ['calls_of_organization by organization_id, call_id'],
  'after/erasure/with-number.chatsWithNumber': [
    'calls_pkey by call_id',
    'message_chats_of_person by organization_id, person',
  ],
  'after/erasure/with-number.messagesWithNumber': ['messages_of_organization by organization_id, message_id'],
  'after/erasure/with-number.openCalls': ['calls_pkey by call_id'],
  'after/erasure/with-number.openMessages': ['message_jobs_pkey by message_id', 'messages_pkey by message_id'],
  'after/erasure/due-retention.cross-tenant.claimRetention': [
    'organization_retention_pkey by organization_id',
    'whole organization_retention_due',
  ],
  'after/erasure/due-retention.cross-tenant.noteRetentionResult': ['organization_retention_pkey by organization_id'],
  'after/erasure/erased-copies.cross-tenant.claimCopies': [
    'erased_copies_pkey by resource_id',
    'whole erased_copies_due',
  ],
  'after/erasure/erased-copies.cross-tenant.finishCopies': [
    'erased_copies_pkey by resource_id',
    'whole erasures_running',
  ],
  // Chats that wait for a worker, which takes seconds.
  'books/queue/claim-chats.cross-tenant.claimChats': [
    'calls_pkey by call_id',
    'jobs_pkey by job_id',
    'whole jobs_chats',
  ],
  'books/queue/insert-job.cross-tenant.insertJob': [
    'calls_pkey by call_id',
    'numbers_claimed by phone_number, organization_id',
    queueOf,
  ],
  'dispatch/worker-jobs/lease-watch.cross-tenant.countReap': ['lease_reaps_age by reaped_at'],
  'dispatch/worker-jobs/lease-watch.cross-tenant.noteHeard': ['lease_watch_pkey by only_row'],
  'dispatch/worker-jobs/lease-watch.cross-tenant.probeLeases': [
    'jobs_leased by leased_at',
    'lease_watch_pkey by only_row',
  ],
  'dispatch/worker-jobs/lease-watch.cross-tenant.readReapState': [
    'jobs_leased by leased_at',
    'lease_reaps_age by reaped_at',
    'lease_watch_pkey by only_row',
  ],
  'dispatch/worker-jobs/lease-watch.cross-tenant.takeReaping': [],
  'dispatch/worker-jobs/unserved.cross-tenant.touchBusyDeclarations': [
    'jobs_leased by leased_at',
    'worker_capabilities_pkey by organization_id, kind, digest',
  ],
  'books/queue/leases.cross-tenant.extendLease': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.extendLeases': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.finishJob': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.lockExpired': ['jobs_leased by leased_at'],
  'books/queue/leases.cross-tenant.lockJob': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.lockJobOfCall': ['jobs_call_id_key by call_id'],
  'books/queue/leases.cross-tenant.requestCancel': ['jobs_pkey by job_id'],
  'lines/lines/line-slots.cross-tenant.dialledJustNow': ['carrier_lines_by_age by opened_at'],
  'lines/lines/due-transfers.cross-tenant.dueTransfers': ['whole call_transfers_due'],
  'lines/live-control/commands.cross-tenant.takeCommands': [
    'call_commands_pkey by command_id',
    'jobs_pkey by job_id',
    'whole call_commands_open',
  ],
  'lines/lines/line-slots.cross-tenant.freeSlots': [
    'carrier_lines_job_id_key by job_id',
    'every row of adopting_workers',
    'jobs_adoptable by adopt_before',
    'jobs_leased by leased_at',
  ],
  'lines/lines/line-slots.cross-tenant.lockSlots': [],
  'lines/lines/line-slots.cross-tenant.noteSlots': ['every row of adopting_workers'],
  'lines/lines/due-lines.cross-tenant.dueOverLines': [
    'carrier_lines_open by check_at',
    'carrier_lines_pkey by call_id',
    'jobs_pkey by job_id',
  ],
  'lines/lines/due-lines.cross-tenant.makeAdoptable': ['jobs_pkey by job_id'],
  'lines/lines/due-lines.cross-tenant.takeDueLine': ['carrier_lines_open by check_at', 'carrier_lines_pkey by call_id'],
  'messages/message-jobs.cross-tenant.changeMessageJobs': ['message_jobs_pkey by message_id'],
  'messages/message-jobs.cross-tenant.dueMessages': ['message_jobs_due by due_at'],
  'messages/message-jobs.cross-tenant.permitMessages': [
    'message_jobs_pkey by message_id',
    // The first organization of the walk.
    'message_jobs_queued by due_at',
    'message_jobs_queued by organization_id, due_at',
    'messages_pkey by message_id',
    'numbers_claimed by phone_number, organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'messages/due-replies.cross-tenant.deleteOldReplies': [
    'message_replies_old by created_at',
    'message_replies_pkey by message_id',
  ],
  'messages/due-replies.cross-tenant.takeReply': [
    'message_replies_due by due_at',
    'message_replies_of_pair by organization_id, pair, message_id',
    'message_replies_pkey by message_id',
  ],
  'messages/replies.chatOfPair': ['calls_pkey by call_id', 'message_replies_of_pair by organization_id, pair'],
  'messages/replies.chatOfReply': ['message_replies_pkey by message_id'],
  'messages/replies.endReply': ['message_replies_pkey by message_id'],
  'messages/replies.insertReply': ['message_replies_of_pair by organization_id, pair'],
  'messages/replies.noteChatOfReply': ['message_replies_pkey by message_id', 'messages_pkey by message_id'],
  'messages/replies.postponeReply': ['message_replies_pkey by message_id'],
  'books/queue/reports.cross-tenant.findReport': ['job_reports_ids by job_id, epoch, seq'],
  'books/queue/reports.cross-tenant.putReport': [],
  'after/translations/translation-jobs.cross-tenant.deferTranslation': ['translation_jobs_pkey by resource_id'],
  'after/translations/translation-jobs.cross-tenant.endTranslation': ['translation_jobs_pkey by resource_id'],
  'after/translations/translation-jobs.cross-tenant.leaseTranslations': [
    'translation_jobs_due by due_at',
    'translation_jobs_pkey by resource_id',
  ],
  'dispatch/recordings/unfinished-recordings.cross-tenant.claimUnfiled': [
    'recording_files_of_call by call_id',
    'recording_uploads_pkey by call_id',
    'whole recording_uploads_unfiled',
  ],
  'dispatch/recordings/unfinished-recordings.cross-tenant.claimLeftover': [
    'recording_uploads_pkey by call_id',
    'whole recording_uploads_leftover',
  ],
  'books/queue/waiting.cross-tenant.countWaiting of one queue': [byEra],
  'books/queue/waiting.cross-tenant.pruneQueues': [
    'jobs_waiting by organization_id',
    'organization_queues_by_service by last_served_at',
    'organization_queues_pkey by organization_id',
  ],
  'books/queue/waiting.cross-tenant.putBack': ['jobs_pkey by job_id', queueOf],
  // Calls that have not ended, scanned for values encrypted under another vault key.
  'dispatch/workers/clear-headers.cross-tenant.readSealedTunings': [
    'calls_pkey by call_id',
    'whole jobs_adoptable',
    'whole jobs_leased',
    'whole jobs_waiting',
  ],
  'messages/message-insert.insertMessages': [byEra],
  'messages/message-settlements.settleMessages': ['messages_pkey by message_id', byEra],
  'messages/messages.findMessage': ['messages_pkey by message_id'],
  'messages/messages.findReceived': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages/messages.findSent': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages/messages.listMessages': ['messages_by_direction by direction, organization_id, message_id'],
  'messages/messages.lockMessages': ['messages_pkey by message_id'],
  'messages/messages.writeMessages': ['messages_pkey by message_id'],
  'dispatch/worker-jobs/unserved.cross-tenant.lockUnserved': [
    'jobs_waiting by organization_id, available_at',
    'organization_queues_by_service by last_served_at',
    'worker_capabilities_pkey by organization_id, kind',
  ],
  'network/numbers/numbers.findNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.hasLiveCall': ['calls_pkey by call_id', 'whole jobs_adoptable', 'whole jobs_leased'],
  'network/numbers/numbers.holdsNumber': ['numbers_claimed by phone_number, organization_id'],
  'network/numbers/numbers.insertNumber': ['numbers_claimed by phone_number'],
  'network/numbers/numbers.linesOfProject': ['numbers_of_project by organization_id, project_id'],
  'network/numbers/numbers.listNumbers': ['numbers_of_project by organization_id'],
  'network/numbers/numbers.lockNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.lockPhoneNumber': [],
  'network/numbers/numbers.writeNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.writeReleased': ['numbers_pkey by number_id'],
  'network/numbers/numbers.writeVerified': ['numbers_pkey by number_id'],
  'books/organizations/organization-state.lockQueueAndState': [byEra, queueOf],
  'books/organizations/organization-state.lockState': [byEra],
  'books/organizations/organization-state.openState': [],
  'books/organizations/organization-state.readState': [byEra],
  'books/organizations/organization-state.takeRoom': [byEra],
  'books/organizations/organization-state.writeLimits': ['organization_controls_pkey by organization_id'],
  'network/numbers/number-owner.cross-tenant.displaceOthers': ['numbers_claimed by phone_number'],
  'network/numbers/number-owner.cross-tenant.holderOfNumber': ['numbers_claimed by phone_number'],
  'network/numbers/number-owner.cross-tenant.holdersOfAccount': [
    'carrier_credentials_of_account by provider, account_sid',
  ],
  'network/numbers/number-owner.cross-tenant.isVerifiedElsewhere': ['numbers_verified by phone_number'],
  'books/record-owners/record-owners.cross-tenant.ownerOfCall': ['calls_pkey by call_id'],
  'campaigns/due-campaigns.cross-tenant.ownerOfCampaign': ['campaigns_pkey by campaign_id'],
  'books/record-owners/record-owners.cross-tenant.ownerOfMessage': ['messages_pkey by message_id'],
  'network/numbers/number-owner.cross-tenant.ownerOfNumber': ['numbers_pkey by number_id'],
  'policy/policies.readAtDialling': [
    'numbers_claimed by phone_number, organization_id',
    'organization_policies_pkey by organization_id',
    'sip_trunks_of_organization by organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'policy/policies.readPolicy': ['organization_policies_pkey by organization_id'],
  'policy/policies.writePolicy': [],
  'dispatch/recordings/recordings.findRecording': ['recordings_pkey by call_id'],
  'dispatch/recordings/recordings.putRecording': [],
  'books/calls/settlements.settleCall': ['calls_pkey by call_id', byEra],
  'policy/suppressions.addSuppressions': [],
  'policy/suppressions.isSuppressed': ['suppressions_pkey by organization_id, phone_number'],
  'policy/suppressions.listSuppressionRows': ['suppressions_pkey by organization_id, phone_number'],
  'policy/suppressions.removeSuppressionRow': ['suppressions_pkey by organization_id, phone_number'],
  'books/calls/transcript-translations.askForTranscriptTranslation': [],
  'books/calls/transcript-translations.endTranscriptTranslation': ['transcript_translations_pkey by call_id'],
  'books/calls/transcript-translations.findTranscriptTranslation': ['transcript_translations_pkey by call_id'],
  'books/calls/transcripts.findTranscript': ['transcripts_pkey by call_id'],
  'books/calls/transcripts.putTranscript': [],
  'books/wallet/wallet.insertTopUp': ['organization_controls_pkey by organization_id'],
  'books/wallet/wallet.listLedgerRows': ['wallet_ledger_of_organization by organization_id'],
};

/** Functions that run no statement, or whose statement depends on their arguments. */
const others: readonly string[] = [
  'books/queue/waiting.cross-tenant.countWaiting',
  'books/calls/calls.listCalls',
  'campaigns/campaigns.campaignOf',
  'campaigns/campaigns.isSameCampaign',
  'campaigns/campaigns.lockedOf',
  'books/queue/depths.cross-tenant.observeJobs',
  'books/queue/aging.cross-tenant.observeAging',
];

const page: ListFilter = {
  ...{ agentId: '', projectId: '', status: '', endedReason: '', direction: '', from: '', to: '' },
  ...{ since: '', leastId: '', until: '', idBefore: '', ascending: false, before: '', limit: 21 },
};
const metadata = { name: 'order', value: '17' };

/** Statements that need particular arguments. */
const asked: Readonly<Record<string, (db: Database) => unknown>> = {
  'campaigns/campaigns.lockCampaign where it was last': async (db) => {
    // The first one remembers the location and then cannot read the meaningless row.
    for (let times = 0; times < 2; times += 1) await lockCampaign(db, 'org_1', 'cmp_1').catch(() => undefined);
  },
  'books/queue/waiting.cross-tenant.countWaiting of one queue': (db) => countWaiting(db, new Map([['org_1', 1]])),
  'books/calls/calls.listCalls of a campaign, the second page': (db) =>
    listCalls(db, 'org_1', { ...page, before: 'call_1' }, { campaignId: 'cmp_1', metadata: undefined }),
  'books/calls/calls.listCalls by metadata': (db) => listCalls(db, 'org_1', page, { campaignId: '', metadata }),
  'books/calls/calls.listCalls by metadata, oldest first, the second page': (db) =>
    listCalls(db, 'org_1', { ...page, ascending: true, before: 'call_1' }, { campaignId: '', metadata }),
};

/** Statements that read a table completely, or an index from one end, each with a reason. */
const read: Readonly<Record<string, string>> = {
  'whole erased_copies_due': 'the copies that wait longest to be erased: the first of the index',
  'whole erasures_running': 'the erasures that run, which are few',
  'whole organization_retention_due': 'the organization whose rules were applied longest ago: the first of the index',
  [campaignPlace]: 'one row, by its location (ctid): campaigns.sql.ts',
  'whole jobs_leased': 'the calls in progress, a bounded number: read when an agent is deleted or a number released',
  'whole call_commands_open': 'the commands for calls in progress that no worker has completed: a few',
  'every row of adopting_workers': 'one row for each engine that takes lines',
  'whole jobs_waiting':
    'calls that are not over, for values of another vault key: after a rotation, else every ten minutes',
  merge: 'the sums of one batch of deltas with its histograms',
  'whole jobs_chats': 'the chats that wait for a worker, for 15 seconds each: the first of the index',
  'whole jobs_adoptable':
    'the calls that ring or wait for their stream, as many as engines have slots: counted before one is placed, read as those that talk are',
  'whole call_transfers_due':
    'the transfers that ring, or whose line has not come to them: a handful, loaded after each second',
  'whole numbers_of_sip_trunk':
    'the numbers that have a trunk: read when the trunks are put into Asterisk again, and when one of them changes',
  'whole recording_uploads_unfiled':
    'the recording that has waited longest to be made into a file: the first of an index that has those alone',
  'whole recording_uploads_leftover':
    'the recording whose parts have waited longest to be deleted: the first of an index that has those alone',
};

describe('cached query plans that were made while all tables were empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'telephony', expected, others, asked, read });

  it.each(Object.keys(expected))('%s uses the expected index', goesAsExpected);
});
