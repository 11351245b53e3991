import { ListQuery } from '../objects/page';
import {
  VerificationCreate,
  verificationMediaTypes,
  VerificationPage,
  VerificationRecord,
} from '../objects/verification';
import { route } from './define';

const path = '/v1/verifications';
const one = `${path}/{verification_id}` as const;

// Identity documents are submitted by people, so there are no MCP tools.
export const verificationRoutes = {
  createVerification: route({
    id: 'create-verification',
    method: 'POST',
    path,
    summary: 'Begin a check of identity',
    scope: 'api_keys:write',
    body: VerificationCreate,
    answer: VerificationRecord,
    service: 'auth',
    creates: true,
    newWork: false,
    audit: 'verification.created',
    waits: true,
    errors: ['NotFoundError', 'kyc_provider_error'],
    mcp: false,
  }),
  listVerifications: route({
    id: 'list-verifications',
    method: 'GET',
    path,
    summary: 'List checks of identity, newest first',
    scope: 'verification:read',
    query: ListQuery,
    answer: VerificationPage,
    service: 'auth',
    mcp: false,
  }),
  getVerification: route({
    id: 'get-verification',
    method: 'GET',
    path: one,
    summary: 'Read a check of identity',
    scope: 'verification:read',
    answer: VerificationRecord,
    service: 'auth',
    byId: 'verification_id',
    waits: true,
    mcp: false,
  }),
  putVerificationDocument: route({
    id: 'put-verification-document',
    method: 'PUT',
    path: `${one}/documents/{n}`,
    summary: 'Pass a document on to the provider of identity checks',
    scope: 'api_keys:write',
    upload: verificationMediaTypes,
    answer: VerificationRecord,
    rpc: 'auth.putVerificationDocument',
    byId: 'verification_id',
    newWork: false,
    audit: 'verification.document_sent',
    errors: ['ConflictError', 'kyc_provider_error'],
    mcp: false,
  }),
};
