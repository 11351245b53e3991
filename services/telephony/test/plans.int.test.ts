import path from 'node:path';
import type { Database } from '@parley/runtime';
import { genericPlanTests } from '@parley/testing';
import { listCalls } from '../src/books/calls/calls.sql';
import type { ListFilter } from '../src/filters.rules';
import { countWaiting } from '../src/books/queue/waiting.cross-tenant.sql';

/** All functions with SQL statements, with the only access paths that their statements may use. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'books/analytics/call-rollups.databaseTime': [],
  'books/analytics/call-rollups.sumRollups': ['call_rollups_pkey by organization_id, hour'],
  'books/analytics/usage.sumCalls': ['call_rollups_pkey by organization_id, hour'],
  'books/analytics/usage.sumMessages': ['messages_of_organization by organization_id, message_id'],
  'dispatch/workers/worker-list.cross-tenant.listWorkerRows': [
    'merge',
    'whole jobs_leased',
    'worker_capabilities_pkey by organization_id',
  ],
  'dispatch/worker-jobs/job-list.cross-tenant.listJobRows': [
    'calls_of_organization by organization_id, call_id',
    'jobs_call_id_key by call_id',
  ],
  'books/calls/calls.hasLiveCalls': [
    'calls_of_agent by organization_id, agent_id, call_id',
    'jobs_waiting by organization_id, available_at',
    'whole jobs_adoptable',
    'whole jobs_leased',
  ],
  'books/admission/admission-snapshot.readAdmissionSnapshot': [
    'idempotency_pkey by organization_id, route, key',
    'numbers_claimed by organization_id',
    'numbers_claimed by phone_number, organization_id',
    'organization_controls_pkey by organization_id',
    'organization_policies_pkey by organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'books/admission/admission-snapshot.numbersOfProject': ['numbers_of_project by organization_id, project_id'],
  'books/calls/call-events.appendCallEvents': [],
  'books/calls/call-events.listCallEvents': ['call_events_pkey by call_id, resource_seq'],
  'books/calls/call-insert.insertCall': [],
  'books/calls/calls.findCall': ['calls_of_organization by organization_id, call_id'],
  'books/calls/calls.listCalls of a campaign, the second page': [
    'calls_of_organization by organization_id, call_id',
    'campaign_attempts_calls by campaign_id, organization_id, call_id',
  ],
  'books/calls/calls.listCalls by metadata': [
    'call_metadata_search by name, value, organization_id',
    'calls_of_organization by organization_id, call_id',
  ],
  'books/calls/calls.listCalls by metadata, oldest first, the second page': [
    'call_metadata_search by name, value, organization_id, call_id',
    'calls_of_organization by organization_id, call_id',
  ],
  'books/calls/calls.lockCall': ['calls_of_organization by organization_id, call_id'],
  'books/calls/calls.writeCall': ['calls_of_organization by organization_id, call_id'],
  'campaigns/attempts.callOfKey': ['idempotency_pkey by organization_id, route, key'],
  'campaigns/attempts.findAttempt': ['campaign_attempts_of_campaign by organization_id, campaign_id, attempt_id'],
  'campaigns/attempts.insertAttempts': [],
  'campaigns/attempts.listAttempts': ['campaign_attempts_of_campaign by organization_id, campaign_id'],
  'campaigns/attempts.listOpenAttempts': [
    'calls_of_organization by organization_id, call_id',
    'campaign_attempts_open by organization_id, campaign_id',
    'campaign_contacts_pkey by contact_id',
  ],
  'campaigns/attempts.markWithdrawn': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/attempts.writeAttempts': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/campaigns.findCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/campaigns.insertCampaign': [],
  'campaigns/campaigns.listCampaigns': ['campaigns_of_project by project_id, organization_id, campaign_id'],
  'campaigns/campaigns.lockCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/campaigns.writeCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/contacts.addContacts': [],
  'campaigns/contacts.claimContacts': [
    'campaign_contacts_due by organization_id, campaign_id, next_attempt_at',
    'campaign_contacts_pkey by contact_id',
  ],
  'campaigns/contacts.listContacts': ['campaign_contacts_of_campaign by organization_id, campaign_id'],
  'campaigns/contacts.listContactsAfter': ['campaign_contacts_of_campaign by organization_id, campaign_id, contact_id'],
  'campaigns/contacts.nextContactDue': ['campaign_contacts_due by organization_id, campaign_id'],
  'campaigns/contacts.writeContacts': ['campaign_contacts_pkey by contact_id'],
  'campaigns/imports.addImportFaults': [],
  'campaigns/imports.findImport': ['campaign_imports_of_campaign by organization_id, campaign_id, import_id'],
  'campaigns/imports.firstImportFaults': ['campaign_import_faults_pkey by import_id'],
  'campaigns/imports.listFaults': ['campaign_import_faults_pkey by import_id, line'],
  'campaigns/imports.listImports': ['campaign_imports_of_campaign by organization_id, campaign_id'],
  'campaigns/imports.putImport': [],
  'intake/sip/sip-peers.cross-tenant.listSipPeers': ['merge', 'whole numbers_of_sip_trunk', 'whole sip_trunks_pkey'],
  'network/numbers/carrier-credentials.accountOfNumber': [
    'carrier_credentials_of_account by provider',
    'numbers_claimed by phone_number, organization_id',
  ],
  'network/numbers/carrier-credentials.listCarrierAccounts': ['carrier_credentials_of_account by provider'],
  'network/numbers/carrier-credentials.listCarrierCredentialRows': ['whole carrier_credentials_pkey'],
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
  'books/queue/insert-job.cross-tenant.insertHeldJob': [],
  'intake/inbound/inbound-calls.nameInboundCall': [],
  'books/calls/input-logs.findInputLog': ['call_input_logs_pkey by call_id'],
  'books/calls/input-logs.putInputLog': [],
  'intake/inbound/pin-attempts.forgetPinAttempt': ['phone_pin_attempts_pkey by organization_id, phone_number'],
  'intake/inbound/pin-attempts.pinAttemptInSeconds': ['phone_pin_attempts_pkey by organization_id, phone_number'],
  'intake/inbound/pin-attempts.takePinAttempt': [],
  'books/queue/adoption.cross-tenant.findByToken': [
    'calls_of_organization by organization_id, call_id',
    'job_reports_ids by job_id, epoch',
    'jobs_by_adopt_token by adopt_token_hash',
  ],
  'books/queue/adoption.cross-tenant.insertAdoptableJob': ['calls_of_organization by organization_id, call_id'],
  'books/queue/adoption.cross-tenant.leaseAdoptable': ['jobs_pkey by job_id'],
  'books/queue/adoption.cross-tenant.lockUnadopted': ['jobs_adoptable by adopt_before'],
  'campaigns/due-campaigns.cross-tenant.anyCampaignDue': ['campaigns_to_run by next_run_at'],
  'campaigns/due-campaigns.cross-tenant.lockDueCampaign': ['campaigns_to_run by next_run_at'],
  'campaigns/due-campaigns.cross-tenant.postponeCampaign': ['campaigns_pkey by campaign_id'],
  'books/queue/claim.cross-tenant.anyWaiting': [
    'jobs_waiting by organization_id, dialer, priority, available_at',
    'whole organization_queues_by_service',
  ],
  'books/queue/claim.cross-tenant.claimNext': [
    'calls_of_organization by organization_id, call_id',
    'jobs_pkey by job_id',
    'jobs_waiting by organization_id, dialer, priority, available_at',
    'organization_queues_pkey by organization_id',
    'whole organization_queues_by_service',
  ],
  'after/erasure/erasures.cross-tenant.claimErasure': [
    'erasures_of_organization by organization_id, erasure_id',
    'whole erasures_running',
  ],
  'after/erasure/erasures.findErasure': [
    'erased_copies_of_erasure by erasure_id',
    'erased_copies_of_organization by organization_id, erased_at',
    'erasures_of_organization by organization_id, erasure_id',
  ],
  'after/erasure/erasures.noteErased': ['erasures_of_organization by organization_id, erasure_id'],
  'after/erasure/erasures.settleErasure': [
    'erased_copies_of_erasure by erasure_id',
    'erased_copies_of_organization by organization_id',
    'erasures_of_organization by organization_id, erasure_id',
  ],
  'books/erasure/message-data.eraseMessageRows': [
    'calls_of_organization by organization_id, call_id',
    'idempotency_created_at by created_at',
    'idempotency_pkey by organization_id, route, key',
    'message_jobs_pkey by message_id',
    'messages_of_organization by organization_id, message_id',
    'translation_jobs_pkey by resource_id',
  ],
  'after/erasure/with-number.callsWithNumber': ['calls_of_organization by organization_id, call_id'],
  'after/erasure/with-number.chatsWithNumber': [
    'calls_of_organization by organization_id, call_id',
    'message_chats_of_person by organization_id, person',
  ],
  'after/erasure/with-number.messagesWithNumber': ['messages_of_organization by organization_id, message_id'],
  'after/erasure/with-number.openCalls': ['calls_of_organization by organization_id, call_id'],
  'after/erasure/with-number.openMessages': [
    'message_jobs_pkey by message_id',
    'messages_of_organization by organization_id, message_id',
  ],
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
    'erasures_pkey by erasure_id',
  ],
  'books/queue/claim-chats.cross-tenant.claimChats': [
    'calls_of_organization by organization_id, call_id',
    'jobs_pkey by job_id',
    'whole jobs_chats',
  ],
  'books/queue/insert-job.cross-tenant.insertJob': [
    'calls_of_organization by organization_id, call_id',
    'numbers_claimed by phone_number, organization_id',
    'organization_queues_pkey by organization_id',
  ],
  'books/queue/lease-watch.cross-tenant.countReap': ['lease_reaps_age by reaped_at'],
  'books/queue/lease-watch.cross-tenant.noteHeard': ['lease_watch_pkey by only_row'],
  'books/queue/lease-watch.cross-tenant.probeLeases': ['lease_watch_pkey by only_row', 'whole jobs_leased'],
  'books/queue/lease-watch.cross-tenant.readReapState': [
    'lease_reaps_age by reaped_at',
    'lease_watch_pkey by only_row',
    'whole jobs_leased',
  ],
  'books/queue/lease-watch.cross-tenant.takeReaping': [],
  'dispatch/worker-jobs/unserved.cross-tenant.touchBusyDeclarations': [
    'whole jobs_leased',
    'worker_capabilities_pkey by organization_id, kind, digest',
  ],
  'books/queue/leases.cross-tenant.extendLease': ['jobs_leased by job_id'],
  'books/queue/leases.cross-tenant.extendLeases': ['jobs_leased by job_id', 'jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.finishJob': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.lockExpired': ['whole jobs_leased'],
  'books/queue/leases.cross-tenant.lockJob': ['jobs_pkey by job_id'],
  'books/queue/leases.cross-tenant.lockJobOfCall': ['jobs_call_id_key by call_id'],
  'books/queue/leases.cross-tenant.requestCancel': ['jobs_pkey by job_id'],
  'lines/lines/line-slots.cross-tenant.dialedJustNow': ['carrier_lines_by_age by opened_at'],
  'lines/lines/due-transfers.cross-tenant.dueTransfers': ['carrier_lines_pkey by call_id', 'whole call_transfers_due'],
  'lines/live-control/commands.cross-tenant.takeCommands': [
    'call_commands_open by job_id',
    'call_commands_pkey by command_id',
    'whole jobs_leased',
  ],
  'lines/lines/line-slots.cross-tenant.freeSlots': [
    'every row of adopting_workers',
    'whole carrier_lines_open',
    'whole jobs_adoptable',
    'whole jobs_leased',
  ],
  'lines/lines/line-slots.cross-tenant.lockSlots': [],
  'lines/lines/line-slots.cross-tenant.noteSlots': ['every row of adopting_workers'],
  'lines/lines/due-lines.cross-tenant.dueOverLines': [
    'carrier_lines_open by check_at',
    'carrier_lines_pkey by call_id',
    'jobs_pkey by job_id',
  ],
  'books/queue/adoption.cross-tenant.makeAdoptable': ['jobs_pkey by job_id'],
  'lines/lines/due-lines.cross-tenant.takeDueLine': ['carrier_lines_open by check_at', 'carrier_lines_pkey by call_id'],
  'messages/message-jobs.cross-tenant.changeMessageJobs': ['message_jobs_pkey by message_id'],
  'messages/message-jobs.cross-tenant.dueMessages': ['message_jobs_due by due_at'],
  'messages/message-jobs.cross-tenant.permitMessages': [
    'message_jobs_pkey by message_id',
    'message_jobs_queued by organization_id, due_at',
    'messages_pkey by message_id',
    'numbers_claimed by phone_number, organization_id',
    'whole message_jobs_queued',
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
  'messages/replies.chatOfPair': [
    'calls_of_organization by organization_id, call_id',
    'message_replies_of_pair by organization_id, pair',
  ],
  'messages/replies.chatOfReply': ['message_replies_pkey by message_id'],
  'messages/replies.endReply': ['message_replies_pkey by message_id'],
  'messages/replies.insertReply': ['message_replies_of_pair by organization_id, pair'],
  'messages/replies.noteChatOfReply': [
    'message_replies_pkey by message_id',
    'messages_of_organization by organization_id, message_id',
  ],
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
  'books/queue/waiting.cross-tenant.countWaiting of one queue': ['organization_controls_pkey by organization_id'],
  'books/queue/waiting.cross-tenant.pruneQueues': [
    'jobs_waiting by organization_id',
    'organization_queues_by_service by last_served_at',
    'organization_queues_pkey by organization_id',
  ],
  'books/queue/waiting.cross-tenant.putBack': ['jobs_leased by job_id', 'organization_queues_pkey by organization_id'],
  'books/calls/calls.cross-tenant.readSealedTunings': [
    'calls_pkey by call_id',
    'whole jobs_adoptable',
    'whole jobs_leased',
    'whole jobs_waiting',
  ],
  'messages/message-insert.insertMessages': ['organization_controls_pkey by organization_id'],
  'books/wallet/message-settlements.settleMessages': [
    'messages_of_organization by organization_id, message_id',
    'organization_controls_pkey by organization_id',
  ],
  'messages/messages.findMessage': ['messages_of_organization by organization_id, message_id'],
  'messages/messages.findReceived': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages/messages.findSent': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages/messages.listMessages': ['messages_by_direction by direction, organization_id, message_id'],
  'messages/messages.lockMessages': ['messages_of_organization by organization_id, message_id'],
  'messages/messages.writeMessages': ['messages_of_organization by organization_id, message_id'],
  'dispatch/worker-jobs/unserved.cross-tenant.lockUnserved': [
    'jobs_waiting by organization_id, available_at',
    'whole organization_queues_by_service',
    'worker_capabilities_pkey by organization_id, kind',
  ],
  'network/numbers/numbers.findNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.hasLiveCall': [
    'calls_from by from_number, organization_id',
    'calls_to by to_number, organization_id',
    'jobs_call_id_key by call_id',
  ],
  'network/numbers/numbers.insertNumber': ['numbers_claimed by phone_number'],
  'network/numbers/numbers.keepOnlyAccount': [
    'carrier_credentials_of_account by provider',
    'numbers_claimed by organization_id',
  ],
  'network/numbers/numbers.linesOfProject': ['numbers_of_project by organization_id, project_id'],
  'network/numbers/numbers.listNumbers': ['numbers_claimed by organization_id'],
  'network/numbers/numbers.lockNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.lockPhoneNumber': [],
  'network/numbers/numbers.writeNumber': ['numbers_pkey by number_id'],
  'network/numbers/numbers.writeReleased': ['numbers_pkey by number_id'],
  'network/numbers/numbers.writeVerified': ['numbers_pkey by number_id'],
  'books/organizations/organization-state.lockQueueAndState': [
    'organization_controls_pkey by organization_id',
    'organization_queues_pkey by organization_id',
  ],
  'books/organizations/organization-state.lockState': ['organization_controls_pkey by organization_id'],
  'books/organizations/organization-state.openState': [],
  'books/organizations/organization-state.readState': ['organization_controls_pkey by organization_id'],
  'books/organizations/organization-state.takeRoom': ['organization_controls_pkey by organization_id'],
  'books/organizations/organization-state.writeLimits': ['organization_controls_pkey by organization_id'],
  'network/numbers/number-owner.cross-tenant.displaceOthers': ['numbers_claimed by phone_number'],
  'network/numbers/number-owner.cross-tenant.holderOfNumber': ['numbers_claimed by phone_number'],
  'network/numbers/number-owner.cross-tenant.holdersOfAccount': [
    'carrier_credentials_of_account by provider, account_sid',
  ],
  'network/numbers/number-owner.cross-tenant.isVerifiedElsewhere': ['numbers_verified by phone_number'],
  'books/calls/calls.cross-tenant.ownerOfCall': ['calls_pkey by call_id'],
  'campaigns/due-campaigns.cross-tenant.ownerOfCampaign': ['campaigns_pkey by campaign_id'],
  'messages/message-jobs.cross-tenant.ownerOfMessage': ['messages_pkey by message_id'],
  'network/numbers/number-owner.cross-tenant.ownerOfNumber': ['numbers_pkey by number_id'],
  'policy/policies.readAtDialing': [
    'numbers_claimed by phone_number, organization_id',
    'organization_policies_pkey by organization_id',
    'sip_trunks_of_organization by organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'policy/policies.readPolicy': ['organization_policies_pkey by organization_id'],
  'policy/policies.writePolicy': [],
  'dispatch/recordings/recordings.findRecording': ['recordings_pkey by call_id'],
  'dispatch/recordings/recordings.putRecording': [],
  'books/calls/settlements.settleCall': [
    'calls_of_organization by organization_id, call_id',
    'organization_controls_pkey by organization_id',
  ],
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

/** Functions that run no statement, whose statement depends on their arguments, or that serve a scrape of the metrics. */
const others: readonly string[] = [
  'books/queue/depths.cross-tenant.readAging',
  'books/queue/depths.cross-tenant.readDepths',
  'books/queue/waiting.cross-tenant.countWaiting',
  'books/calls/calls.listCalls',
  'campaigns/campaigns.campaignOf',
  'campaigns/campaigns.isSameCampaign',
  'campaigns/campaigns.lockedOf',
];

const page: ListFilter = {
  ...{ agentId: '', projectId: '', status: '', endedReason: '', direction: '', from: '', to: '' },
  ...{ since: '', leastId: '', until: '', idBefore: '', ascending: false, before: '', limit: 21 },
};
const metadata = { name: 'order', value: '17' };

/** Statements that need particular arguments. */
const asked: Readonly<Record<string, (db: Database) => unknown>> = {
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
  'whole jobs_leased': 'the calls in progress, a bounded number',
  'whole organization_queues_by_service':
    'the queues of organizations with waiting jobs, those served longest ago first',
  'whole message_jobs_queued': 'the organizations with queued messages: the first of the index',
  'whole carrier_credentials_pkey': 'accounts at carriers, in the order of their page',
  'whole sip_trunks_pkey': 'all trunks, when they are put into Asterisk again',
  'whole carrier_lines_open': 'the lines of calls in progress',
  'every row of adopting_workers': 'one row for each engine that takes lines',
  'whole jobs_waiting':
    'calls that are not over, for values of another vault key: after a rotation, else every ten minutes',
  merge: 'the declarations of workers with the jobs that they hold',
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
