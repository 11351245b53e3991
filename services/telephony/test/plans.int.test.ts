import path from 'node:path';
import { keptPlans, testDatabase, type TestDatabase } from '@parley/testing';

/** Every function of src/db that asks something, with the only ways by which its statements may reach their rows. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'admission-look.lookForAdmission': [
    'idempotency_pkey by organization_id, route, key',
    'numbers_live by phone_number',
    'numbers_of_project by organization_id',
    'organization_controls_pkey by organization_id',
    'organization_policies_pkey by organization_id',
    'suppressions_pkey by organization_id, phone_number',
  ],
  'admission-look.numbersOfProject': ['numbers_of_project by organization_id, project_id'],
  'call-events.appendCallEvents': [],
  'call-events.listCallEvents': ['call_events_pkey by call_id, resource_seq'],
  'call-insert.databaseNow': [],
  'call-insert.insertCall': [],
  'calls.findCall': ['calls_pkey by call_id'],
  'calls.listCalls': ['calls_of_agent by organization_id, agent_id, call_id'],
  'calls.lockCall': ['calls_pkey by call_id'],
  'calls.writeCall': ['calls_pkey by call_id'],
  'campaigns/attempts.callOfKey': ['idempotency_pkey by organization_id, route, key'],
  'campaigns/attempts.findAttempt': ['campaign_attempts_of_campaign by organization_id, campaign_id, attempt_id'],
  'campaigns/attempts.insertAttempts': [],
  'campaigns/attempts.listAttempts': ['campaign_attempts_of_campaign by organization_id, campaign_id'],
  'campaigns/attempts.listOpenAttempts': [
    'calls_pkey by call_id',
    'campaign_attempts_open by organization_id, campaign_id',
    'campaign_contacts_pkey by contact_id',
  ],
  'campaigns/attempts.markWithdrawn': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/attempts.writeAttempts': ['campaign_attempts_pkey by attempt_id'],
  'campaigns/campaigns.findCampaign': ['campaigns_of_organization by organization_id, campaign_id'],
  'campaigns/campaigns.insertCampaign': [],
  'campaigns/campaigns.listCampaigns': ['campaigns_of_organization by organization_id'],
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
  'campaigns/imports.addFaults': [],
  'campaigns/imports.findImport': ['campaign_imports_of_campaign by organization_id, campaign_id, import_id'],
  'campaigns/imports.firstFaults': ['campaign_import_faults_pkey by import_id'],
  'campaigns/imports.listFaults': ['campaign_import_faults_pkey by import_id, line'],
  'campaigns/imports.listImports': ['campaign_imports_of_campaign by organization_id, campaign_id'],
  'campaigns/imports.putImport': [],
  'carrier-credentials.findCarrierAccount': [
    'carrier_credentials_organization_id_provider_account_sid_key by organization_id, provider',
  ],
  'carrier-credentials.listCarrierCredentialRows': [
    'carrier_credentials_organization_id_provider_account_sid_key by organization_id',
  ],
  'carrier-credentials.lockCarrierCredential': ['carrier_credentials_of_account by provider, account_sid'],
  'carrier-credentials.writeCarrierCredential': [],
  'inbound-calls.findInboundCall': ['inbound_calls_pkey by organization_id, gateway_call_id'],
  'inbound-calls.insertHeldJob': [],
  'inbound-calls.nameInboundCall': [],
  'jobs/campaigns.lockDueCampaign': ['whole campaigns_to_run'],
  'jobs/campaigns.postponeCampaign': ['campaigns_pkey by campaign_id'],
  'jobs/claim.anyWaiting': ['jobs_waiting by organization_id, priority, available_at', 'whole lanes_by_turn'],
  'jobs/claim.claimNext': [
    'calls_pkey by call_id',
    'jobs_pkey by job_id',
    'jobs_waiting by organization_id, priority, available_at',
    'lanes_pkey by organization_id',
    'whole lanes_by_turn',
  ],
  'jobs/insert-job.insertJob': ['calls_pkey by call_id'],
  'jobs/leases.extendLease': ['jobs_pkey by job_id'],
  'jobs/leases.extendLeases': ['jobs_pkey by job_id'],
  'jobs/leases.finishJob': ['jobs_pkey by job_id'],
  'jobs/leases.lockExpired': ['jobs_leased by lease_expires_at'],
  'jobs/leases.lockJob': ['jobs_pkey by job_id'],
  'jobs/leases.lockJobOfCall': ['jobs_call_id_key by call_id'],
  'jobs/leases.requestCancel': ['jobs_pkey by job_id'],
  'jobs/message-jobs.changeMessageJobs': ['message_jobs_pkey by message_id'],
  'jobs/message-jobs.dueMessages': ['message_jobs_due by due_at'],
  'jobs/message-jobs.permitMessages': [
    'message_jobs_pkey by message_id',
    'message_jobs_queued by organization_id, due_at',
    'messages_pkey by message_id',
    'suppressions_pkey by organization_id, phone_number',
    'whole message_jobs_queued',
  ],
  'jobs/reports.findReport': ['job_reports_pkey by job_id, epoch, seq'],
  'jobs/reports.pruneReports': [
    'job_reports_pkey by job_id',
    'job_reports_pkey by job_id, epoch, seq',
    'whole jobs_pkey',
  ],
  'jobs/reports.putReport': [],
  'jobs/translation-jobs.deferTranslation': ['translation_jobs_pkey by resource_id'],
  'jobs/translation-jobs.endTranslation': ['translation_jobs_pkey by resource_id'],
  'jobs/translation-jobs.leaseTranslations': ['translation_jobs_due by due_at', 'translation_jobs_pkey by resource_id'],
  'jobs/waiting.countWaiting': ['organization_controls_pkey by organization_id'],
  'jobs/waiting.pruneLanes': [
    'jobs_waiting by organization_id',
    'lanes_pkey by organization_id',
    'whole lanes_by_turn',
  ],
  'jobs/waiting.putBack': ['jobs_pkey by job_id'],
  'message-insert.insertMessages': ['organization_controls_pkey by organization_id'],
  'message-settlements.settleMessages': ['organization_controls_pkey by organization_id'],
  'messages.findMessage': ['messages_pkey by message_id'],
  'messages.findReceived': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages.findSent': ['messages_of_carrier by organization_id, provider, carrier_message_id, direction'],
  'messages.listMessages': ['messages_of_agent by organization_id, agent_id, message_id'],
  'messages.lockMessages': ['messages_pkey by message_id'],
  'messages.writeMessages': ['messages_pkey by message_id'],
  'numbers.findNumber': ['numbers_pkey by number_id'],
  'numbers.insertNumber': [],
  'numbers.listNumbers': ['numbers_of_project by organization_id'],
  'numbers.lockNumber': ['numbers_pkey by number_id'],
  'numbers.writeInboundAgent': ['numbers_pkey by number_id'],
  'organization-state.lockLaneAndState': ['organization_controls_pkey by organization_id'],
  'organization-state.lockState': ['organization_controls_pkey by organization_id'],
  'organization-state.openState': [],
  'organization-state.readState': ['organization_controls_pkey by organization_id'],
  'organization-state.takeRoom': ['organization_controls_pkey by organization_id'],
  'organization-state.writeLimits': ['organization_controls_pkey by organization_id'],
  'owners.holderOfNumber': ['numbers_live by phone_number'],
  'owners.holdersOfAccount': ['carrier_credentials_of_account by provider, account_sid'],
  'owners.ownerOfCall': ['calls_pkey by call_id'],
  'owners.ownerOfCampaign': ['campaigns_pkey by campaign_id'],
  'owners.ownerOfMessage': ['messages_pkey by message_id'],
  'owners.ownerOfNumber': ['numbers_pkey by number_id'],
  'policies.readPolicy': ['organization_policies_pkey by organization_id'],
  'policies.writePolicy': [],
  'recordings.findRecording': ['recordings_pkey by call_id'],
  'recordings.putRecording': [],
  'settlements.settleCall': ['organization_controls_pkey by organization_id'],
  'suppressions.addSuppressions': [],
  'suppressions.isSuppressed': ['suppressions_pkey by organization_id, phone_number'],
  'suppressions.listSuppressionRows': ['suppressions_pkey by organization_id, phone_number'],
  'suppressions.removeSuppressionRow': ['suppressions_pkey by organization_id, phone_number'],
  'transcript-translations.askForTranscriptTranslation': [],
  'transcript-translations.endTranscriptTranslation': ['transcript_translations_pkey by call_id'],
  'transcript-translations.findTranscriptTranslation': ['transcript_translations_pkey by call_id'],
  'transcripts.findTranscript': ['transcripts_pkey by call_id'],
  'transcripts.putTranscript': [],
  'wallet.insertTopUp': ['organization_controls_pkey by organization_id'],
  'wallet.listLedgerRows': ['wallet_ledger_of_organization by organization_id'],
};

/** What asks nothing, or not by itself, and minds what it is given. */
const others: readonly string[] = [
  'call-events.eventValues',
  'campaigns/campaigns.campaignOf',
  'jobs/depths.observeJobs',
];

/** Read whole, or from one end, with a reason. */
const read: Readonly<Record<string, string>> = {
  'whole campaigns_to_run': 'the campaign that is due longest: the first of the index',
  'whole lanes_by_turn': 'the lane that was served longest ago: the first of the index that has a job to give',
  'whole message_jobs_queued': 'the first organization of the walk: the first of the index',
  'whole jobs_pkey': 'forgetting old reports: by the thousand, behind everything else',
};

describe('plans that are kept, made while every table is empty', () => {
  let database: TestDatabase;
  let plans: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    database = await testDatabase({ migrations: path.join(__dirname, '..', 'migrations'), schema: 'telephony' });
    plans = await keptPlans(database.db, path.resolve(__dirname, '../src/db'), (file) => jest.requireActual(file));
  }, 60_000);
  afterAll(() => database.drop());

  it('every function that asks something is listed', () => {
    expect([...plans.keys()].filter((name) => !others.includes(name)).sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))(
    'decisions 5: %s goes by the index that fits when the tables are full',
    (name, ways) => {
      expect(plans.get(name)).toEqual(ways);
    },
  );

  it('what is read whole is so for a reason', () => {
    const whole = Object.values(expected)
      .flat()
      .filter((way) => !way.includes(' by '));
    expect([...new Set(whole)].sort()).toEqual(Object.keys(read).sort());
  });
});
