import { CarrierCredentialCreate, CarrierCredentialPage, CarrierCredentialRecord } from '../objects/carrier-credential';
import {
  ComponentCredentialCreate,
  ComponentCredentialPage,
  ComponentCredentialRecord,
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
  }),
};

export const gatewayTokenRoutes = {
  mintGatewayToken: route({
    id: 'mint-gateway-token',
    method: 'POST',
    path: '/v1/gateway-tokens',
    summary: 'Make a token for a media gateway; it is returned once',
    scope: 'numbers:write',
    body: GatewayTokenCreate,
    answer: GatewayTokenMinted,
    service: 'auth',
    creates: true,
    errors: ['NotFoundError'],
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
  }),
  revokeGatewayToken: route({
    id: 'revoke-gateway-token',
    method: 'POST',
    path: '/v1/gateway-tokens/{gateway_token_id}/revoke',
    summary: 'Revoke a gateway token',
    scope: 'numbers:write',
    answer: GatewayTokenRecord,
    service: 'auth',
    byId: 'gateway_token_id',
  }),
};
