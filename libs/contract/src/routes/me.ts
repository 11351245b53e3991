import { ApiKeyMinted, ApiKeyRecord } from '../objects/api-key';
import { Me } from '../objects/me';
import { route } from './define';

export const meRoutes = {
  getMe: route({
    id: 'get-me',
    method: 'GET',
    path: '/v1/me',
    summary: 'Read what the key of the request is and what it reaches',
    scope: null,
    answer: Me,
    service: 'auth',
    etag: true,
  }),
  createSession: route({
    id: 'create-session',
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Make a key of at most 12 hours that may do what the key of the request may; its token is returned once',
    scope: null,
    answer: ApiKeyMinted,
    mints: true,
    service: 'auth',
    creates: true,
    newWork: false,
    audit: 'session.created',
    mcp: false,
  }),
  endSession: route({
    id: 'end-session',
    method: 'DELETE',
    path: '/v1/sessions',
    summary: 'End the session of the request: its key is revoked',
    scope: null,
    answer: ApiKeyRecord,
    mints: true,
    errors: ['ConflictError'],
    service: 'auth',
    newWork: false,
    audit: 'session.revoked',
    mcp: false,
  }),
};
