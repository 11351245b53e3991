import { NumberCreate, NumberPage, NumberRecord, NumberUpdate, NumberVerify } from '../objects/number';
import { ProjectListQuery } from '../objects/page';
import { routesOf } from './define';

const route = routesOf('telephony');

export const numberRoutes = {
  createNumber: route('POST', '/v1/numbers', {
    summary: 'Add a telephone number to a project',
    scope: 'numbers:write',
    body: NumberCreate,
    answer: NumberRecord,
    creates: true,
    newWork: false,
    audit: 'number.created',
    errors: ['NotFoundError'],
  }),
  listNumbers: route('GET', '/v1/numbers', {
    summary: 'List telephone numbers, newest first',
    scope: 'numbers:read',
    query: ProjectListQuery,
    answer: NumberPage,
  }),
  getNumber: route('GET', '/v1/numbers/{number_id}', {
    summary: 'Read a telephone number',
    scope: 'numbers:read',
    answer: NumberRecord,
  }),
  updateNumber: route('PATCH', '/v1/numbers/{number_id}', {
    summary: 'Attach a telephone number to an agent, or detach it; choose who dials and answers it',
    scope: 'numbers:write',
    body: NumberUpdate,
    answer: NumberRecord,
    newWork: false,
    audit: 'number.changed',
    conditional: true,
  }),
  verifyNumber: route('POST', '/v1/numbers/{number_id}/verify', {
    summary:
      "Prove that the organization holds a number: its account at the number's carrier owns it and is used from then on, or an operator confirms it",
    scope: 'numbers:write',
    body: NumberVerify,
    answer: NumberRecord,
    newWork: false,
    audit: 'number.verified',
    errors: ['ConflictError', 'internal_error'],
  }),
  releaseNumber: route('DELETE', '/v1/numbers/{number_id}', {
    summary: 'Release a telephone number; refused while a live call uses it',
    scope: 'numbers:write',
    answer: NumberRecord,
    newWork: false,
    audit: 'number.released',
    conditional: true,
  }),
};
