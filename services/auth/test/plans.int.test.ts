import path from 'node:path';
import { keptPlanTests } from '@parley/testing';

/** Every function of src/db that asks something, with the only ways by which its statements may reach their rows. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'audit.appendAudit': [],
  'audit.listAudit': ['audit_log_newest by organization_id, created_at'],
  'component-credentials.findComponentCredentials': ['component_credentials_pkey by component_credential_id'],
  'component-credentials.insertComponentCredential': [],
  'component-credentials.listComponentCredentials': ['component_credentials_newest by organization_id, created_at'],
  'control.bumpEpoch': ['every row of control_epoch'],
  'control.noteAgentSuspension': [],
  'control.readControlState': [
    'api_keys_revoked by revoked_epoch',
    'every row of control_epoch',
    'every row of maintenance',
    'every row of suspended_agents',
    'whole organizations_suspended',
  ],
  'control.readMaintenance': ['every row of maintenance'],
  'control.writeMaintenance': ['every row of maintenance'],
  'jobs/write-last-used.writeLastUsed': ['api_keys_pkey by key_id'],
  'keys.holdLiveKey': ['api_keys_pkey by key_id'],
  'keys.insertKey': [],
  'keys.listKeys': ['api_keys_newest by organization_id, created_at'],
  'keys.lockKey': ['api_keys_pkey by key_id'],
  'keys.markRevoked': ['api_keys_pkey by key_id', 'every row of control_epoch'],
  'operator-lists.listOrganizations': ['organizations_newest by created_at'],
  'organizations.findOrganization': ['organizations_pkey by organization_id'],
  'organizations.insertOrganization': [],
  'organizations.lockOrganization': ['organizations_pkey by organization_id'],
  'organizations.organizationExists': ['organizations_pkey by organization_id'],
  'organizations.setOrganizationStatus': ['organizations_pkey by organization_id'],
  'owner-look-ups.findGatewayTokenOwner': ['api_keys_pkey by key_id'],
  'owner-look-ups.findKeyOwner': ['api_keys_pkey by key_id'],
  'owner-look-ups.findProjectOwner': ['projects_pkey by project_id'],
  'projects.insertProject': [],
  'projects.listProjects': ['projects_newest by organization_id, created_at'],
  'verification.findLiveKeys': ['api_keys_token_hash_key by token_hash', 'every row of control_epoch'],
};

/** What asks nothing, or not by itself, and minds what it is given. */
const others: readonly string[] = ['rows.onlyRow', 'rows.timeText'];

/** Read whole, with a reason. */
const read: Readonly<Record<string, string>> = {
  'every row of control_epoch': 'there is one',
  'every row of maintenance': 'there is one',
  'every row of suspended_agents': 'all that are suspended is what is asked for',
  'whole organizations_suspended': 'all that are suspended is what is asked for',
};

describe('plans that are kept, made while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = keptPlanTests({ service, schema: 'auth', expected, others, read });

  it.each(Object.keys(expected))(
    'decisions 3: %s goes by the index that fits when the tables are full',
    goesAsExpected,
  );
});
