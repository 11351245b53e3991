import path from 'node:path';
import { genericPlanTests } from '@parley/testing';

/** Every function with SQL, and the only access paths that its statements may use. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'audit/audit.appendAudit': [],
  'audit/audit.insertAudits': [],
  'audit/audit.listAudit': ['audit_log_newest by organization_id, created_at'],
  'audit/audit.cross-tenant.knownActs': ['audit_log_pkey by audit_id'],
  'control-state/control.cross-tenant.bumpEpoch': ['every row of control_epoch'],
  'control-state/control.cross-tenant.noteAgentSuspension': [],
  'control-state/control.cross-tenant.deleteOldChanges': [
    'control_changes_age by changed_at',
    'control_changes_pkey by epoch',
    'every row of control_epoch',
  ],
  'control-state/control.cross-tenant.readControlChanges': [
    'control_changes_pkey by epoch',
    'every row of control_epoch',
    'every row of maintenance',
    'whole organizations_suspended',
    'whole suspended_agents_now',
  ],
  'control-state/control.cross-tenant.readMaintenance': ['every row of maintenance'],
  'control-state/control.cross-tenant.writeMaintenance': ['every row of maintenance'],
  'credentials/component-credentials.deleteCredential': ['component_credentials_pkey by component_credential_id'],
  'credentials/component-credentials.replaceSecret': ['component_credentials_pkey by component_credential_id'],
  'credentials/credential-owner.cross-tenant.findCredentialOwner': [
    'component_credentials_pkey by component_credential_id',
  ],
  'credentials/component-credentials.findComponentCredentials': [
    'component_credentials_newest by organization_id',
    'component_credentials_pkey by component_credential_id',
  ],
  'credentials/component-credentials.findStandbyCredentials': ['component_credentials_standby by organization_id'],
  'credentials/component-credentials.findSealedStandby': [
    'component_credentials_standby by organization_id, kind, provider',
  ],
  'credentials/component-credentials.insertComponentCredential': [],
  'credentials/component-credentials.listComponentCredentials': [
    'component_credentials_newest by organization_id, created_at',
  ],
  'keys/key-owner.cross-tenant.findGatewayTokenOwner': ['api_keys_pkey by key_id'],
  'keys/key-owner.cross-tenant.findKeyOwner': ['api_keys_pkey by key_id'],
  'keys/key-owner.cross-tenant.deleteOldKeys': [
    'api_keys_minted by created_by',
    'api_keys_pkey by key_id',
    'whole api_keys_pkey',
  ],
  'keys/keys.holdLiveKey': ['api_keys_pkey by key_id'],
  'keys/keys.insertKey': [],
  'keys/keys.listKeys': ['api_keys_newest by organization_id, created_at'],
  'keys/keys.lockKey': ['api_keys_pkey by key_id'],
  'keys/revocation.cross-tenant.findMintedBy': ['api_keys_minted by created_by'],
  'keys/revocation.cross-tenant.lockUnrevoked': ['api_keys_pkey by key_id'],
  'keys/revocation.cross-tenant.markRevoked': ['api_keys_pkey by key_id', 'every row of control_epoch'],
  'keys/verification.cross-tenant.writeLastUsed': ['api_keys_pkey by key_id'],
  'keys/verification.cross-tenant.findLiveKeys': [
    'api_keys_token_hash_key by token_hash',
    'every row of control_epoch',
  ],
  'organizations/organizations.cross-tenant.listOrganizations': ['organizations_newest by created_at'],
  'organizations/organizations.findOrganization': ['organizations_pkey by organization_id'],
  'organizations/organizations.insertOrganization': [],
  'organizations/organizations.lockOrganization': ['organizations_pkey by organization_id'],
  'organizations/organizations.organizationExists': ['organizations_pkey by organization_id'],
  'organizations/organizations.setOrganizationStatus': ['organizations_pkey by organization_id'],
  'organizations/organizations.cross-tenant.findProjectOwner': ['projects_pkey by project_id'],
  'organizations/projects.insertProject': [],
  'organizations/projects.listProjects': ['projects_newest by organization_id, created_at'],
  'organizations/organizations.cross-tenant.readBillingChanges': [
    'every row of control_epoch',
    'organizations_billing_changes by billing_epoch',
  ],
  'verifications/verifications.claimQuestion': ['verifications_pkey by verification_id'],
  'verifications/verifications.findVerification': ['verifications_pkey by verification_id'],
  'verifications/verifications.insertVerification': [],
  'verifications/verifications.listVerifications': ['verifications_newest by organization_id, created_at'],
  'verifications/verifications.lockVerification': ['verifications_pkey by verification_id'],
  'verifications/verifications.writeDocuments': ['verifications_pkey by verification_id'],
  'verifications/verifications.writeState': ['verifications_pkey by verification_id'],
  'organizations/organizations.setOrganizationBilling': [
    'every row of control_epoch',
    'organizations_pkey by organization_id',
  ],
};

/** Allowed complete scans, with the reason. */
const read: Readonly<Record<string, string>> = {
  'every row of control_epoch': 'there is one',
  'whole api_keys_pkey': 'keys that ended long ago, once an hour: a key is small, and they are few',
  'every row of maintenance': 'there is one',
  'whole organizations_suspended': 'all that are suspended is what a process that holds nothing asks for',
  'whole suspended_agents_now': 'all that are suspended is what a process that holds nothing asks for',
};

describe('generic plans, prepared while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'auth', expected, others: [], read });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});
