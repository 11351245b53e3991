import { ApiKeyMinted, ApiKeyRecord } from '../objects/api-key';
import { Me } from '../objects/me';
import { routesOf } from './define';

const route = routesOf('auth');

export const meRoutes = {
  getMe: route('GET', '/v1/me', {
    summary: 'Read what the key of the request is and what it reaches',
    scope: null,
    answer: Me,
    etag: true,
  }),
  createSession: route('POST', '/v1/sessions', {
    summary: 'Make a key of at most 12 hours that may do what the key of the request may; its token is returned once',
    scope: null,
    answer: ApiKeyMinted,
    mints: true,
    creates: true,
    newWork: false,
    audit: 'session.created',
    mcp: false,
  }),
  endSession: route('DELETE', '/v1/sessions', {
    summary: 'End the session of the request: its key is revoked',
    scope: null,
    answer: ApiKeyRecord,
    mints: true,
    errors: ['ConflictError'],
    newWork: false,
    audit: 'session.revoked',
    mcp: false,
  }),
};
