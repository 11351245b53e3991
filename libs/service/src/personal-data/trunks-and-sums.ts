import { noPerson, organizationColumn, type PersonalTable } from './entry';

/** Tables with the phone numbers, carrier accounts and SIP peers of organizations. */
export const numbersAndTrunks: Readonly<Record<string, PersonalTable>> = {
  demo_addresses: {
    personal: {
      address_hash: 'HMAC of the address of a visitor, whose key is the token of the link, which is not stored',
    },
    other: ['organization_id', 'agent_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it names no person without the token'),
    aging: 'deleted at the first conversation of a later day, and with its demo',
  },
  numbers: {
    personal: { phone_number: 'a phone number of the customer' },
    other: [
      'number_id',
      'organization_id',
      'project_id',
      'provider',
      'inbound_agent_id',
      'simulator_pace',
      'dialer',
      'sip_trunk_id',
    ],
    byOrganization: organizationColumn,
    byPerson: { columns: ['phone_number'] },
    aging: 'kept: calls name it, also when it is released',
  },
  carrier_credentials: {
    personal: { account_sid: 'the account of the customer at a carrier', auth_token: 'its token, sealed' },
    other: ['carrier_credential_id', 'organization_id', 'provider', 'vault_key_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it is about the customer'),
    aging: 'kept: credentials are not removed yet',
  },
  sip_trunks: {
    personal: {
      name: 'a name that the customer chose',
      host: 'a host of the customer or its carrier',
      username: 'the account of the customer at a SIP peer',
      password: 'its password, sealed',
    },
    other: ['sip_trunk_id', 'organization_id', 'transport', 'codecs', 'cold_transfers', 'vault_key_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it is about the customer'),
    aging: 'kept: until the customer deletes it',
  },
};

const callSumColumns = [
  ...['organization_id', 'project_id', 'agent_id', 'direction', 'channel', 'carrier'],
  ...['status', 'ended_reason', 'turn_latencies'],
];

/** Tables with sums over calls, in which no row belongs to a person. */
export const callSums = { call_rollups: callSumColumns, call_rollup_deltas: callSumColumns };

/** Demos without the addresses of their visitors. */
export const demos: Readonly<Record<string, readonly string[]>> = {
  demos: ['organization_id', 'agent_id', 'token_hash', 'kinds'],
  demo_conversations: ['organization_id', 'call_id', 'agent_id'],
};

/** Tables about the workers that claim calls. */
export const workers: Readonly<Record<string, readonly string[]>> = {
  adopting_workers: ['worker_id'],
  lease_reaps: ['workers_of'],
  lease_watch: [],
  organization_queues: ['organization_id'],
  sip_controllers: ['application', 'holder'],
  worker_capabilities: ['organization_id', 'kind', 'digest', 'capabilities'],
};
