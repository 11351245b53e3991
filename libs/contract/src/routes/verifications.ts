import { ListQuery } from '../objects/page';
import {
  VerificationCreate,
  verificationMediaTypes,
  VerificationPage,
  VerificationRecord,
} from '../objects/verification';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('auth');

const path = '/v1/verifications';
const one = `${path}/{verification_id}` as const;

// Identity documents are submitted by people, so there are no MCP tools.
export const verificationRoutes = {
  createVerification: route('POST', path, {
    summary: 'Begin a check of identity',
    scope: 'api_keys:write',
    body: VerificationCreate,
    answer: VerificationRecord,
    creates: true,
    newWork: false,
    audit: 'verification.created',
    waits: true,
    errors: ['NotFoundError', 'kyc_provider_error'],
    mcp: false,
  }),
  listVerifications: route('GET', path, {
    summary: 'List checks of identity, newest first',
    scope: 'verification:read',
    query: ListQuery,
    answer: VerificationPage,
    mcp: false,
  }),
  getVerification: route('GET', one, {
    summary: 'Read a check of identity',
    scope: 'verification:read',
    answer: VerificationRecord,
    waits: true,
    mcp: false,
  }),
  putVerificationDocument: gatewayRoute('PUT', `${one}/documents/{n}`, {
    summary: 'Pass a document on to the provider of identity checks',
    scope: 'api_keys:write',
    upload: verificationMediaTypes,
    answer: VerificationRecord,
    rpc: 'auth.putVerificationDocument',
    newWork: false,
    audit: 'verification.document_sent',
    errors: ['ConflictError', 'kyc_provider_error'],
    mcp: false,
  }),
};
