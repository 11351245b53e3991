import {
  ConnectionCreate,
  ConnectionListQuery,
  ConnectionPage,
  ConnectionRecord,
  ConnectionUpdate,
} from '../objects/connection';
import { route } from './define';

const onePath = '/v1/connections/{connection_id}';

/** Connections contain credentials for other systems, so none of these routes is an MCP tool. */
export const connectionRoutes = {
  createConnection: route({
    id: 'create-connection',
    method: 'POST',
    path: '/v1/connections',
    summary: 'Register a connection to another system; its authentication is write-only',
    scope: 'agents:write',
    body: ConnectionCreate,
    answer: ConnectionRecord,
    service: 'agents',
    creates: true,
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listConnections: route({
    id: 'list-connections',
    method: 'GET',
    path: '/v1/connections',
    summary: 'List connections, newest first',
    scope: 'agents:read',
    query: ConnectionListQuery,
    answer: ConnectionPage,
    service: 'agents',
    mcp: false,
  }),
  getConnection: route({
    id: 'get-connection',
    method: 'GET',
    path: onePath,
    summary: 'Read a connection',
    scope: 'agents:read',
    answer: ConnectionRecord,
    service: 'agents',
    byId: 'connection_id',
    mcp: false,
  }),
  updateConnection: route({
    id: 'update-connection',
    method: 'PATCH',
    path: onePath,
    summary: 'Update a connection',
    scope: 'agents:write',
    body: ConnectionUpdate,
    answer: ConnectionRecord,
    service: 'agents',
    byId: 'connection_id',
    conditional: true,
    mcp: false,
  }),
  deleteConnection: route({
    id: 'delete-connection',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a connection; 409 while a tool of an agent names it',
    scope: 'agents:write',
    answer: ConnectionRecord,
    service: 'agents',
    byId: 'connection_id',
    conditional: true,
    mcp: false,
  }),
};
