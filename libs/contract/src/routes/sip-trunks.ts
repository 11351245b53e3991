import { ListQuery } from '../objects/page';
import { SipTrunkCreate, SipTrunkPage, SipTrunkRecord, SipTrunkUpdate } from '../objects/sip-trunk';
import { routesOf } from './define';

const route = routesOf('telephony');

const onePath = '/v1/sip-trunks/{sip_trunk_id}';

/** Trunks contain credentials for other systems, so none of these routes is an MCP tool. */
export const sipTrunkRoutes = {
  createSipTrunk: route('POST', '/v1/sip-trunks', {
    summary: 'Store a SIP trunk; its password is write-only',
    scope: 'numbers:write',
    body: SipTrunkCreate,
    answer: SipTrunkRecord,
    creates: true,
    newWork: false,
    audit: 'sip_trunk.created',
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listSipTrunks: route('GET', '/v1/sip-trunks', {
    summary: 'List SIP trunks, newest first',
    scope: 'numbers:read',
    query: ListQuery,
    answer: SipTrunkPage,
    mcp: false,
  }),
  getSipTrunk: route('GET', onePath, {
    summary: 'Read a SIP trunk, without its password',
    scope: 'numbers:read',
    answer: SipTrunkRecord,
    mcp: false,
  }),
  updateSipTrunk: route('PATCH', onePath, {
    summary: 'Change a SIP trunk, for calls from now on',
    scope: 'numbers:write',
    body: SipTrunkUpdate,
    answer: SipTrunkRecord,
    newWork: false,
    audit: 'sip_trunk.updated',
    conditional: true,
    mcp: false,
  }),
  deleteSipTrunk: route('DELETE', onePath, {
    summary: 'Delete a SIP trunk; 409 while a number names it',
    scope: 'numbers:write',
    answer: SipTrunkRecord,
    newWork: false,
    audit: 'sip_trunk.deleted',
    conditional: true,
    mcp: false,
  }),
};
