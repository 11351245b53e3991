import { CarrierCredentialCreate, CarrierCredentialPage, CarrierCredentialRecord } from '../objects/carrier-credential';
import {
  ComponentCredentialCreate,
  ComponentCredentialLease,
  ComponentCredentialPage,
  ComponentCredentialRecord,
  ComponentCredentialTest,
  ProviderModels,
  ComponentCredentialUpdate,
  LeasedCredentials,
} from '../objects/component-credential';
import { GatewayTokenCreate, GatewayTokenMinted, GatewayTokenPage, GatewayTokenRecord } from '../objects/gateway-token';
import { ListQuery } from '../objects/page';
import { routesOf } from './define';

const route = routesOf('auth');
const ofTelephony = routesOf('telephony');

export const componentCredentialRoutes = {
  createComponentCredential: route('POST', '/v1/component-credentials', {
    summary: 'Store a credential of a hosted-AI provider; its secret is write-only',
    scope: 'agents:write',
    body: ComponentCredentialCreate,
    answer: ComponentCredentialRecord,
    creates: true,
    newWork: false,
    audit: 'component_credential.created',
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listComponentCredentials: route('GET', '/v1/component-credentials', {
    summary: 'List the stored provider credentials, newest first',
    scope: 'agents:read',
    query: ListQuery,
    answer: ComponentCredentialPage,
    mcp: false,
  }),
  getComponentCredential: route('GET', '/v1/component-credentials/{component_credential_id}', {
    summary: 'Read a stored provider credential, without its secret',
    scope: 'agents:read',
    answer: ComponentCredentialRecord,
    mcp: false,
  }),
  replaceComponentCredential: route('PATCH', '/v1/component-credentials/{component_credential_id}', {
    summary: 'Replace the secret of a provider credential',
    scope: 'agents:write',
    body: ComponentCredentialUpdate,
    answer: ComponentCredentialRecord,
    newWork: false,
    audit: 'component_credential.secret_replaced',
    mcp: false,
  }),
  deleteComponentCredential: route('DELETE', '/v1/component-credentials/{component_credential_id}', {
    summary: 'Delete a provider credential; components that use it have none afterwards',
    scope: 'agents:write',
    answer: ComponentCredentialRecord,
    newWork: false,
    audit: 'component_credential.deleted',
    mcp: false,
  }),
  testComponentCredential: route('POST', '/v1/component-credentials/{component_credential_id}/test', {
    summary: 'Test whether the provider accepts a credential; the result is stored',
    scope: 'agents:write',
    answer: ComponentCredentialTest,
    newWork: false,
    audit: 'component_credential.tested',
    waits: true,
    errors: ['ConflictError'],
    mcp: false,
  }),
  listProviderModels: route('POST', '/v1/component-credentials/{component_credential_id}/models', {
    summary: 'Ask the provider of a credential for its models; 60 times a minute for a key',
    scope: 'agents:write',
    answer: ProviderModels,
    newWork: false,
    audit: 'component_credential.opened',
    waits: true,
    errors: ['provider_error', 'rate_limited'],
    mcp: false,
  }),
  leaseComponentCredentials: ofTelephony('POST', '/v1/component-credentials/lease', {
    summary: 'Open the component credentials of a call that is not over',
    scope: 'component_credentials:lease',
    body: ComponentCredentialLease,
    answer: LeasedCredentials,
    newWork: false,
    audit: 'component_credential.opened',
    errors: ['NotFoundError', 'ConflictError'],
    mcp: false,
  }),
};

export const carrierCredentialRoutes = {
  createCarrierCredential: ofTelephony('POST', '/v1/carrier-credentials', {
    summary: 'Store an account at a carrier, or replace its token; the token is write-only',
    scope: 'numbers:write',
    body: CarrierCredentialCreate,
    answer: CarrierCredentialRecord,
    creates: true,
    newWork: false,
    audit: ['carrier_credential.created', 'carrier_credential.replaced'],
    mcp: false,
  }),
  listCarrierCredentials: ofTelephony('GET', '/v1/carrier-credentials', {
    summary: 'List the accounts at carriers',
    scope: 'numbers:read',
    query: ListQuery,
    answer: CarrierCredentialPage,
    mcp: false,
  }),
  getCarrierCredential: ofTelephony('GET', '/v1/carrier-credentials/{carrier_credential_id}', {
    summary: 'Read an account at a carrier, without its token',
    scope: 'numbers:read',
    answer: CarrierCredentialRecord,
    mcp: false,
  }),
};

export const gatewayTokenRoutes = {
  mintGatewayToken: route('POST', '/v1/gateway-tokens', {
    summary: 'Make a token for a media gateway; it is returned once',
    scope: 'numbers:write',
    // Required because the token gives access to the configuration of incoming calls: prompt, variables and tools.
    alsoScopes: ['agents:read', 'calls:read'],
    body: GatewayTokenCreate,
    answer: GatewayTokenMinted,
    mints: true,
    creates: true,
    newWork: false,
    audit: 'gateway_token.minted',
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listGatewayTokens: route('GET', '/v1/gateway-tokens', {
    summary: 'List gateway tokens, newest first',
    scope: 'numbers:read',
    query: ListQuery,
    answer: GatewayTokenPage,
    mcp: false,
  }),
  getGatewayToken: route('GET', '/v1/gateway-tokens/{gateway_token_id}', {
    summary: 'Read a gateway token, without its secret',
    scope: 'numbers:read',
    answer: GatewayTokenRecord,
    mcp: false,
  }),
  revokeGatewayToken: route('POST', '/v1/gateway-tokens/{gateway_token_id}/revoke', {
    summary: 'Revoke a gateway token',
    scope: 'numbers:write',
    answer: GatewayTokenRecord,
    mints: true,
    newWork: false,
    audit: 'gateway_token.revoked',
    mcp: false,
  }),
};
