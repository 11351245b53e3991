import { CarrierCredentialCreate, CarrierCredentialPage, CarrierCredentialRecord } from '../objects/carrier-credential';
import {
  ComponentCredentialCreate,
  ComponentCredentialPage,
  ComponentCredentialRecord,
  ComponentCredentialUpdate,
} from '../objects/component-credential';
import { GatewayTokenCreate, GatewayTokenMinted, GatewayTokenPage, GatewayTokenRecord } from '../objects/gateway-token';
import { ListQuery } from '../objects/page';
import { route } from './define';

export const componentCredentialRoutes = {
  createComponentCredential: route({
    id: 'create-component-credential',
    method: 'POST',
    path: '/v1/component-credentials',
    summary: 'Store a credential of a hosted-AI provider; its secret is write-only',
    scope: 'agents:write',
    body: ComponentCredentialCreate,
    answer: ComponentCredentialRecord,
    service: 'auth',
    creates: true,
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listComponentCredentials: route({
    id: 'list-component-credentials',
    method: 'GET',
    path: '/v1/component-credentials',
    summary: 'List the stored provider credentials, newest first',
    scope: 'agents:read',
    query: ListQuery,
    answer: ComponentCredentialPage,
    service: 'auth',
    mcp: false,
  }),
  replaceComponentCredential: route({
    id: 'replace-component-credential',
    method: 'PATCH',
    path: '/v1/component-credentials/{component_credential_id}',
    summary: 'Replace the secret of a provider credential',
    scope: 'agents:write',
    body: ComponentCredentialUpdate,
    answer: ComponentCredentialRecord,
    service: 'auth',
    byId: 'component_credential_id',
    mcp: false,
  }),
  deleteComponentCredential: route({
    id: 'delete-component-credential',
    method: 'DELETE',
    path: '/v1/component-credentials/{component_credential_id}',
    summary: 'Delete a provider credential; components that it is bound to have none from then on',
    scope: 'agents:write',
    answer: ComponentCredentialRecord,
    service: 'auth',
    byId: 'component_credential_id',
    mcp: false,
  }),
};

export const carrierCredentialRoutes = {
  createCarrierCredential: route({
    id: 'create-carrier-credential',
    method: 'POST',
    path: '/v1/carrier-credentials',
    summary: 'Store an account at a carrier, or replace its token; the token is write-only',
    scope: 'numbers:write',
    body: CarrierCredentialCreate,
    answer: CarrierCredentialRecord,
    service: 'telephony',
    creates: true,
    mcp: false,
  }),
  listCarrierCredentials: route({
    id: 'list-carrier-credentials',
    method: 'GET',
    path: '/v1/carrier-credentials',
    summary: 'List the accounts at carriers',
    scope: 'numbers:read',
    query: ListQuery,
    answer: CarrierCredentialPage,
    service: 'telephony',
    mcp: false,
  }),
};

export const gatewayTokenRoutes = {
  mintGatewayToken: route({
    id: 'mint-gateway-token',
    method: 'POST',
    path: '/v1/gateway-tokens',
    summary: 'Make a token for a media gateway; it is returned once',
    scope: 'numbers:write',
    // The token reads the configuration of incoming calls: prompt, variables and tools.
    alsoScopes: ['agents:read', 'calls:read'],
    body: GatewayTokenCreate,
    answer: GatewayTokenMinted,
    mints: true,
    service: 'auth',
    creates: true,
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listGatewayTokens: route({
    id: 'list-gateway-tokens',
    method: 'GET',
    path: '/v1/gateway-tokens',
    summary: 'List gateway tokens, newest first',
    scope: 'numbers:read',
    query: ListQuery,
    answer: GatewayTokenPage,
    service: 'auth',
    mcp: false,
  }),
  revokeGatewayToken: route({
    id: 'revoke-gateway-token',
    method: 'POST',
    path: '/v1/gateway-tokens/{gateway_token_id}/revoke',
    summary: 'Revoke a gateway token',
    scope: 'numbers:write',
    answer: GatewayTokenRecord,
    mints: true,
    service: 'auth',
    byId: 'gateway_token_id',
    mcp: false,
  }),
};
