import { ApiKeyPage, ApiKeyRecord } from '../objects/api-key';
import { ListQuery } from '../objects/page';
import { route } from './define';

const operators = ['operator'] as const;

export const operatorKeyRoutes = {
  listOperatorKeys: route({
    id: 'list-operator-keys',
    method: 'GET',
    path: '/v1/operator-keys',
    summary: 'List the keys of operators, newest first',
    scope: 'operator:read',
    audience: operators,
    query: ListQuery,
    answer: ApiKeyPage,
    service: 'auth',
    mcp: false,
  }),
  getOperatorKey: route({
    id: 'get-operator-key',
    method: 'GET',
    path: '/v1/operator-keys/{operator_key_id}',
    summary: 'Read a key of an operator, without its token',
    scope: 'operator:read',
    audience: operators,
    answer: ApiKeyRecord,
    service: 'auth',
    byId: 'operator_key_id',
    mcp: false,
  }),
};
