import { Demo, DemoCreate } from '../objects/demo';
import { routesOf } from './define';

const route = routesOf('telephony');

const path = '/v1/agents/{agent_id}/demo';

export const demoRoutes = {
  createDemo: route('POST', path, {
    summary: 'Open an agent to the public by a link, which replaces the previous link',
    // The purpose of the response is to show a secret.
    mcp: false,
    scope: 'agents:write',
    body: DemoCreate,
    answer: Demo,
    creates: true,
    newWork: false,
    audit: 'demo.opened',
    errors: ['SuspensionError'],
  }),
  getDemo: route('GET', path, {
    summary: 'Read the public demo of an agent',
    // Links for the public are managed by people.
    mcp: false,
    scope: 'agents:read',
    answer: Demo,
    etag: false,
  }),
  deleteDemo: route('DELETE', path, {
    summary: 'Revoke the link of a public demo',
    // Links for the public are managed by people.
    mcp: false,
    scope: 'agents:write',
    answer: Demo,
    newWork: false,
    audit: 'demo.closed',
  }),
};
