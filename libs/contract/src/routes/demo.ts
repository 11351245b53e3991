import { Demo, DemoCreate } from '../objects/demo';
import { route } from './define';

const path = '/v1/agents/{agent_id}/demo';

export const demoRoutes = {
  createDemo: route({
    id: 'create-demo',
    method: 'POST',
    path,
    summary: 'Open an agent to the public by a link, which replaces the previous link',
    // The purpose of the response is to show a secret.
    mcp: false,
    scope: 'agents:write',
    body: DemoCreate,
    answer: Demo,
    service: 'telephony',
    byId: 'agent_id',
    creates: true,
    newWork: false,
    audit: 'demo.opened',
    errors: ['SuspensionError'],
  }),
  getDemo: route({
    id: 'get-demo',
    method: 'GET',
    path,
    summary: 'Read the public demo of an agent',
    // Links for the public are managed by people.
    mcp: false,
    scope: 'agents:read',
    answer: Demo,
    service: 'telephony',
    byId: 'agent_id',
    etag: false,
  }),
  deleteDemo: route({
    id: 'delete-demo',
    method: 'DELETE',
    path,
    summary: 'Revoke the link of a public demo',
    // Links for the public are managed by people.
    mcp: false,
    scope: 'agents:write',
    answer: Demo,
    service: 'telephony',
    byId: 'agent_id',
    newWork: false,
    audit: 'demo.closed',
  }),
};
