import {
  accepts,
  booleanField,
  enumField,
  ignoredFields,
  integerField,
  listField,
  refuses,
  requiredFields,
  textField,
  type Subject,
} from '../../test/rule-table';
import { customerScopes, operatorScopes, specializedScopes } from '../scopes';
import { ApiKeyCreate } from './api-key';
import { ComponentCredentialCreate, componentCredentialKinds } from './component-credential';
import { GatewayTokenCreate } from './gateway-token';
import { billingModes, MaintenanceUpdate, OrganizationCreate, ProjectCreate } from './organization';

const key: Subject = {
  cls: ApiKeyCreate,
  base: { organization_id: 'org_1', name: 'n', scopes: ['all'] },
};

requiredFields(key, ['organization_id', 'name', 'scopes']);
textField(key, 'name', { min: 1, max: 200 });
listField(key, 'scopes', { min: 1, max: 100 }, () => 'agents:read');
accepts(key, 'scopes', [
  ['all', 'all-read', 'all-write'],
  [...customerScopes],
  [...operatorScopes, ...specializedScopes],
]);
refuses(key, 'scopes[0]', ['agents:delete', 'operator', 'all:read', 'ALL', '', '*', 'constructor']);
const times = ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00+05:30', '2028-02-29T00:00Z'];
const noTimes = [
  '2026-01-31',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31T24:00:00Z',
  'tomorrow',
  '',
  0,
];
accepts(key, 'expires_at', [...times, null]);
refuses(key, 'expires_at', noTimes);
ignoredFields(key, ['key_id', 'last_four', 'created_at', 'revoked_at', 'last_used_at']);

const gatewayToken: Subject = {
  cls: GatewayTokenCreate,
  base: { organization_id: 'org_1', deployment_name: 'frankfurt-1' },
};
requiredFields(gatewayToken, ['deployment_name']);
textField(gatewayToken, 'deployment_name', { min: 1, max: 200 });
accepts(gatewayToken, 'expires_at', [...times, null]);
refuses(gatewayToken, 'expires_at', noTimes);
ignoredFields(gatewayToken, ['gateway_token_id', 'last_four', 'created_at', 'revoked_at', 'last_used_at']);

const credential: Subject = {
  cls: ComponentCredentialCreate,
  base: { organization_id: 'org_1', kind: 'tts', provider: 'elevenlabs', name: 'ours', secret: 's' },
};
requiredFields(credential, ['kind', 'provider', 'name', 'secret']);
enumField(credential, 'kind', componentCredentialKinds);
textField(credential, 'provider', { min: 1, max: 120 });
textField(credential, 'name', { min: 1, max: 200 });
textField(credential, 'secret', { min: 1, max: 8192 });
ignoredFields(credential, ['component_credential_id', 'created_by', 'created_at']);

const organization: Subject = { cls: OrganizationCreate, base: { name: 'n' } };
requiredFields(organization, ['name']);
textField(organization, 'name', { min: 1, max: 200 });
enumField(organization, 'billing', billingModes);

const project: Subject = { cls: ProjectCreate, base: { name: 'n' } };
requiredFields(project, ['name']);
textField(project, 'name', { min: 1, max: 200 });

const maintenance: Subject = { cls: MaintenanceUpdate, base: { active: true } };
requiredFields(maintenance, ['active']);
booleanField(maintenance, 'active');
integerField(maintenance, 'retry_after_seconds', { min: 1, max: 86_400 });
accepts(maintenance, 'starts_at', [...times, null]);
refuses(maintenance, 'starts_at', noTimes);
accepts(maintenance, 'ends_at', [...times, null]);
refuses({ ...maintenance, base: { active: true, starts_at: '2026-01-31T12:00:00Z' } }, 'ends_at', [
  '2026-01-31T12:00:00Z',
  '2026-01-31T13:00:00+02:00',
]);
accepts(maintenance, 'message', ['', null]);
refuses(maintenance, 'message', ['a'.repeat(501), 5]);
