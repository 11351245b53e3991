import { NumberCreate, NumberPage, NumberRecord, NumberUpdate, NumberVerify } from '../objects/number';
import { ProjectListQuery } from '../objects/page';
import { route } from './define';

export const numberRoutes = {
  createNumber: route({
    id: 'create-number',
    method: 'POST',
    path: '/v1/numbers',
    summary: 'Add a telephone number to a project',
    scope: 'numbers:write',
    body: NumberCreate,
    answer: NumberRecord,
    service: 'telephony',
    creates: true,
    errors: ['NotFoundError'],
  }),
  listNumbers: route({
    id: 'list-numbers',
    method: 'GET',
    path: '/v1/numbers',
    summary: 'List telephone numbers, newest first',
    scope: 'numbers:read',
    query: ProjectListQuery,
    answer: NumberPage,
    service: 'telephony',
  }),
  updateNumber: route({
    id: 'update-number',
    method: 'PATCH',
    path: '/v1/numbers/{number_id}',
    summary: 'Attach a telephone number to an agent, or detach it; choose who dials and answers it',
    scope: 'numbers:write',
    body: NumberUpdate,
    answer: NumberRecord,
    service: 'telephony',
    byId: 'number_id',
    conditional: true,
  }),
  verifyNumber: route({
    id: 'verify-number',
    method: 'POST',
    path: '/v1/numbers/{number_id}/verify',
    summary:
      "Prove that the organization holds a number: its account at the number's carrier owns it, or an operator vouches for it",
    scope: 'numbers:write',
    body: NumberVerify,
    answer: NumberRecord,
    service: 'telephony',
    byId: 'number_id',
    errors: ['ConflictError', 'internal_error'],
  }),
  releaseNumber: route({
    id: 'release-number',
    method: 'DELETE',
    path: '/v1/numbers/{number_id}',
    summary: 'Release a telephone number; refused while a live call uses it',
    scope: 'numbers:write',
    answer: NumberRecord,
    service: 'telephony',
    byId: 'number_id',
    conditional: true,
  }),
};
