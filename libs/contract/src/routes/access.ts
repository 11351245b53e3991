import {
  ApiKeyCreate,
  ApiKeyMinted,
  ApiKeyPage,
  ApiKeyRecord,
  ApiKeyRevokeQuery,
  ScopeCatalogueView,
} from '../objects/api-key';
import {
  AuditPage,
  MaintenanceRecord,
  MaintenanceUpdate,
  OrganizationCreate,
  OrganizationPage,
  OrganizationRecord,
  OrganizationSuspend,
  OrganizationUpdate,
  ProjectCreate,
  ProjectPage,
  ProjectRecord,
} from '../objects/organization';
import { ListQuery } from '../objects/page';
import { routesOf } from './define';

const route = routesOf('auth');

const operators = ['operator'] as const;

export const apiKeyRoutes = {
  mintApiKey: route('POST', '/v1/api-keys', {
    summary: 'Mint an API key; its token is returned once',
    scope: 'api_keys:write',
    body: ApiKeyCreate,
    answer: ApiKeyMinted,
    mints: true,
    creates: true,
    newWork: false,
    audit: 'api_key.minted',
    mcp: false,
  }),
  listApiKeys: route('GET', '/v1/api-keys', {
    summary: 'List API keys, newest first',
    scope: 'api_keys:read',
    query: ListQuery,
    answer: ApiKeyPage,
    mcp: false,
  }),
  listScopes: route('GET', '/v1/api-keys/scopes', {
    summary: 'Read the scope catalogue',
    scope: 'api_keys:read',
    answer: ScopeCatalogueView,
  }),
  getApiKey: route('GET', '/v1/api-keys/{key_id}', {
    summary: 'Read an API key, without its token',
    scope: 'api_keys:read',
    answer: ApiKeyRecord,
    mcp: false,
  }),
  revokeApiKey: route('POST', '/v1/api-keys/{key_id}/revoke', {
    summary: 'Revoke an API key; a key with more scopes is not revoked',
    scope: 'api_keys:write',
    query: ApiKeyRevokeQuery,
    answer: ApiKeyRecord,
    mints: true,
    foreign: 'write-403',
    newWork: false,
    audit: ['api_key.revoked', 'session.revoked'],
    mcp: false,
  }),
};

export const organizationRoutes = {
  createOrganization: route('POST', '/v1/organizations', {
    summary: 'Create an organization',
    scope: 'operator:write',
    audience: operators,
    body: OrganizationCreate,
    answer: OrganizationRecord,
    creates: true,
    newWork: false,
    audit: 'organization.created',
  }),
  listOrganizations: route('GET', '/v1/organizations', {
    summary: 'List organizations, newest first',
    scope: 'operator:read',
    audience: operators,
    query: ListQuery,
    answer: OrganizationPage,
  }),
  getOrganization: route('GET', '/v1/organizations/{organization_id}', {
    summary: 'Read an organization',
    scope: 'account:read',
    answer: OrganizationRecord,
    foreign: 'organization-403',
  }),
  updateOrganization: route('PATCH', '/v1/organizations/{organization_id}', {
    summary: 'Change the billing of an organization',
    scope: 'operator:write',
    audience: operators,
    body: OrganizationUpdate,
    answer: OrganizationRecord,
    newWork: false,
    audit: 'organization.billing_changed',
    foreign: 'organization-403',
    mcp: false,
  }),
  suspendOrganization: route('POST', '/v1/organizations/{organization_id}/suspend', {
    summary: 'Suspend an organization',
    scope: 'operator:write',
    audience: operators,
    body: OrganizationSuspend,
    answer: OrganizationRecord,
    newWork: false,
    audit: 'organization.suspended',
    foreign: 'organization-403',
  }),
  reinstateOrganization: route('POST', '/v1/organizations/{organization_id}/reinstate', {
    summary: 'Reinstate a suspended organization',
    scope: 'operator:write',
    audience: operators,
    answer: OrganizationRecord,
    newWork: false,
    audit: 'organization.reinstated',
    foreign: 'organization-403',
  }),
  createProject: route('POST', '/v1/organizations/{organization_id}/projects', {
    summary: 'Create a project',
    scope: 'projects:write',
    body: ProjectCreate,
    answer: ProjectRecord,
    creates: true,
    newWork: false,
    audit: 'project.created',
    foreign: 'organization-403',
  }),
  listProjects: route('GET', '/v1/organizations/{organization_id}/projects', {
    summary: 'List the projects of an organization, newest first',
    scope: 'projects:read',
    query: ListQuery,
    answer: ProjectPage,
    foreign: 'organization-403',
    etag: false,
  }),
  getProject: route('GET', '/v1/organizations/{organization_id}/projects/{project_id}', {
    summary: 'Read a project',
    scope: 'projects:read',
    answer: ProjectRecord,
    foreign: 'organization-403',
  }),
  listAuditLog: route('GET', '/v1/organizations/{organization_id}/audit-log', {
    summary: 'List the audit log of an organization, newest first',
    scope: 'account:read',
    query: ListQuery,
    answer: AuditPage,
    foreign: 'organization-403',
    etag: false,
  }),
};

export const platformAuditRoutes = {
  listPlatformAuditLog: route('GET', '/v1/audit-log', {
    summary: 'List the acts on the platform itself, newest first',
    scope: 'operator:read',
    audience: operators,
    query: ListQuery,
    answer: AuditPage,
  }),
};

export const maintenanceRoutes = {
  getMaintenance: route('GET', '/v1/maintenance', {
    summary: 'Read the maintenance window',
    scope: 'operator:read',
    audience: operators,
    answer: MaintenanceRecord,
    etag: true,
  }),
  setMaintenance: route('PUT', '/v1/maintenance', {
    summary: 'Open, plan or close a maintenance window',
    scope: 'operator:write',
    audience: operators,
    body: MaintenanceUpdate,
    answer: MaintenanceRecord,
    newWork: false,
    audit: 'maintenance.set',
  }),
};
