import { CallRecord } from '../objects/call';
import { ErasureCreate, ErasureRecord, RetentionRecord, RetentionUpdate } from '../objects/retention';
import { routesOf } from './define';

const route = routesOf('telephony');

export const retentionRoutes = {
  getRetention: route('GET', '/v1/organizations/{organization_id}/retention', {
    summary: 'Read how long an organization keeps calls, recordings and messages',
    scope: 'account:read',
    answer: RetentionRecord,
    foreign: 'organization-403',
    mcp: false,
  }),
  setRetention: route('PUT', '/v1/organizations/{organization_id}/retention', {
    summary: 'Replace how long an organization keeps calls, recordings and messages',
    scope: 'api_keys:write',
    body: RetentionUpdate,
    answer: RetentionRecord,
    newWork: false,
    audit: 'retention.changed',
    foreign: 'organization-403',
    conditional: true,
    mcp: false,
  }),
  eraseCall: route('DELETE', '/v1/calls/{call_id}', {
    summary: 'Erase a call that has ended; its accounting data is kept',
    scope: 'api_keys:write',
    answer: CallRecord,
    newWork: false,
    audit: 'call.erased',
    errors: ['ConflictError'],
    mcp: false,
  }),
  createErasure: route('POST', '/v1/erasures', {
    summary: 'Erase every call, message and contact with a telephone number',
    scope: 'api_keys:write',
    body: ErasureCreate,
    answer: ErasureRecord,
    creates: true,
    newWork: false,
    audit: 'erasure.requested',
    accepted: true,
    mcp: false,
  }),
  getErasure: route('GET', '/v1/erasures/{erasure_id}', {
    summary: 'Read the progress of an erasure',
    scope: 'api_keys:read',
    answer: ErasureRecord,
    mcp: false,
  }),
};
