import { ListQuery } from '../objects/page';
import { SipTrunkCreate, SipTrunkPage, SipTrunkRecord, SipTrunkUpdate } from '../objects/sip-trunk';
import { route } from './define';

const onePath = '/v1/sip-trunks/{sip_trunk_id}';

/** Trunks contain credentials for other systems, so none of these routes is an MCP tool. */
export const sipTrunkRoutes = {
  createSipTrunk: route({
    id: 'create-sip-trunk',
    method: 'POST',
    path: '/v1/sip-trunks',
    summary: 'Store a SIP trunk; its password is write-only',
    scope: 'numbers:write',
    body: SipTrunkCreate,
    answer: SipTrunkRecord,
    service: 'telephony',
    creates: true,
    newWork: false,
    errors: ['NotFoundError'],
    mcp: false,
  }),
  listSipTrunks: route({
    id: 'list-sip-trunks',
    method: 'GET',
    path: '/v1/sip-trunks',
    summary: 'List SIP trunks, newest first',
    scope: 'numbers:read',
    query: ListQuery,
    answer: SipTrunkPage,
    service: 'telephony',
    mcp: false,
  }),
  getSipTrunk: route({
    id: 'get-sip-trunk',
    method: 'GET',
    path: onePath,
    summary: 'Read a SIP trunk, without its password',
    scope: 'numbers:read',
    answer: SipTrunkRecord,
    service: 'telephony',
    byId: 'sip_trunk_id',
    mcp: false,
  }),
  updateSipTrunk: route({
    id: 'update-sip-trunk',
    method: 'PATCH',
    path: onePath,
    summary: 'Change a SIP trunk, for calls from now on',
    scope: 'numbers:write',
    body: SipTrunkUpdate,
    answer: SipTrunkRecord,
    service: 'telephony',
    byId: 'sip_trunk_id',
    newWork: false,
    conditional: true,
    mcp: false,
  }),
  deleteSipTrunk: route({
    id: 'delete-sip-trunk',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a SIP trunk; 409 while a number names it',
    scope: 'numbers:write',
    answer: SipTrunkRecord,
    service: 'telephony',
    byId: 'sip_trunk_id',
    newWork: false,
    conditional: true,
    mcp: false,
  }),
};
