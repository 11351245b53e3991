import { noPerson, organizationColumn, type PersonalTable } from './entry';

/** What is kept of the SIP peers of organizations. */
export const sipTrunks: Readonly<Record<string, PersonalTable>> = {
  sip_trunks: {
    personal: {
      name: 'a name that the customer chose',
      host: 'a host of the customer or its carrier',
      username: 'the account of the customer at a SIP peer',
      password: 'its password, sealed',
    },
    other: ['sip_trunk_id', 'organization_id', 'transport', 'codecs', 'vault_key_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it is about the customer'),
    aging: 'kept: until the customer deletes it',
  },
};
