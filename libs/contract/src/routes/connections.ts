import {
  ConnectionCreate,
  ConnectionListQuery,
  ConnectionPage,
  ConnectionRecord,
  ConnectionUpdate,
} from '../objects/connection';
import { routesOf } from './define';

const route = routesOf('agents');

const onePath = '/v1/connections/{connection_id}';

/** Connections contain credentials for other systems, so none of these routes is an MCP tool. */
export const connectionRoutes = {
  createConnection: route('POST', '/v1/connections', {
    summary: 'Register a connection to another system; its authentication is write-only',
    scope: 'agents:write',
    body: ConnectionCreate,
    answer: ConnectionRecord,
    creates: true,
    newWork: false,
    audit: 'connection.created',
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listConnections: route('GET', '/v1/connections', {
    summary: 'List connections, newest first',
    scope: 'agents:read',
    query: ConnectionListQuery,
    answer: ConnectionPage,
    mcp: false,
  }),
  getConnection: route('GET', onePath, {
    summary: 'Read a connection',
    scope: 'agents:read',
    answer: ConnectionRecord,
    mcp: false,
  }),
  updateConnection: route('PATCH', onePath, {
    summary: 'Update a connection',
    scope: 'agents:write',
    body: ConnectionUpdate,
    answer: ConnectionRecord,
    newWork: false,
    audit: 'connection.updated',
    conditional: true,
    mcp: false,
  }),
  deleteConnection: route('DELETE', onePath, {
    summary: 'Delete a connection; 409 while a tool of an agent names it',
    scope: 'agents:write',
    answer: ConnectionRecord,
    newWork: false,
    audit: 'connection.deleted',
    conditional: true,
    mcp: false,
  }),
};
