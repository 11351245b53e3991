import {
  accepts,
  enumField,
  ignoredFields,
  integerField,
  refuses,
  requiredFields,
  textField,
  type Subject,
} from '../../test/rule-table';
import { coldTransferMethods, sipTransports, SipTrunkCreate, SipTrunkUpdate } from './sip-trunk';

const created: Subject = {
  cls: SipTrunkCreate,
  base: { organization_id: 'org_1', name: 'Carrier', host: 'sip.example.com', transport: 'udp', codecs: ['pcmu'] },
};
const updated: Subject = { cls: SipTrunkUpdate, base: {} };

requiredFields(created, ['name', 'host', 'transport', 'codecs']);
ignoredFields(created, ['sip_trunk_id', 'created_at', 'updated_at']);

for (const trunk of [created, updated]) {
  textField(trunk, 'name', { min: 1, max: 200 });
  accepts(trunk, 'host', ['sip.example.com', '192.0.2.1', 'a', `${'a'.repeat(63)}.example`]);
  refuses(trunk, 'host', [
    '',
    'sip.example.com:5060',
    'a b',
    'a_b',
    '-a',
    'a-',
    'a..b',
    '[::1]',
    'a;b',
    'a@b',
    `${'a'.repeat(64)}.b`,
    null,
    5,
  ]);
  integerField(trunk, 'port', { min: 1, max: 65_535 });
  enumField(trunk, 'transport', sipTransports);
  enumField(trunk, 'cold_transfers', coldTransferMethods);
  accepts(trunk, 'numbers', ['as_sent', { country: 'US' }, { country: 'DE' }]);
  refuses(trunk, 'numbers', [
    '',
    'US',
    'as_sent ',
    {},
    { country: 'us' },
    { country: 'USA' },
    { country: 'XX' },
    { country: null },
    { country: 'US', more: 1 },
    [],
    null,
    1,
  ]);
  accepts(trunk, 'trusted', [true, false]);
  refuses(trunk, 'trusted', ['true', 0, null]);
  accepts(trunk, 'codecs', [['pcmu'], ['g722', 'pcma', 'pcmu']]);
  refuses(trunk, 'codecs', [[], ['pcmu', 'pcmu'], ['opus'], 'pcmu', null]);
}

describe('the username and the password of a trunk', () => {
  const withBoth: Subject = { ...created, base: { ...created.base, username: 'ann', password: 'secret' } };
  accepts(withBoth, 'username', ['a', 'ann.b+c~d-e_1', 'a'.repeat(64)]);
  refuses(withBoth, 'username', ['', 'a b', 'a@b', 'a"b', 'a'.repeat(65), null]);
  accepts(withBoth, 'password', ['x', '!~"\\', 'x'.repeat(128)]);
  refuses(withBoth, 'password', ['', 'a b', 'ä', 'x'.repeat(129), null]);
  refuses(created, 'username', ['ann']);
  refuses(created, 'password', ['secret']);
  accepts(updated, 'username', ['ann', null]);
  refuses(updated, 'username', ['']);
});
