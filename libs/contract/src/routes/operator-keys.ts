import { ApiKeyPage, ApiKeyRecord } from '../objects/api-key';
import { ListQuery } from '../objects/page';
import { routesOf } from './define';

const route = routesOf('auth');

const operators = ['operator'] as const;

export const operatorKeyRoutes = {
  listOperatorKeys: route('GET', '/v1/operator-keys', {
    summary: 'List the keys of operators, newest first',
    scope: 'operator:read',
    audience: operators,
    query: ListQuery,
    answer: ApiKeyPage,
    mcp: false,
  }),
  getOperatorKey: route('GET', '/v1/operator-keys/{operator_key_id}', {
    summary: 'Read a key of an operator, without its token',
    scope: 'operator:read',
    audience: operators,
    answer: ApiKeyRecord,
    mcp: false,
  }),
};
