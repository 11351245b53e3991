import { createAddressPolicy } from '../addresses/address-policy.rules';
import { RefusedAddress, vettedAddresses } from './vetted-connector';

const production = createAddressPolicy({ development: false });
const development = createAddressPolicy({ development: true });
const giving =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);

describe('vettedAddresses', () => {
  it.each([
    ['a private address', ['10.0.0.1']],
    ['a public and a private one', ['8.8.8.8', '192.168.0.1']],
    ['a public and the loopback one', ['2606:4700::1111', '::1']],
    ['a mapped address', ['::ffff:8.8.8.8']],
    ['the metadata service', ['169.254.169.254']],
    ['carrier NAT', ['100.100.100.200']],
    ['NAT64', ['64:ff9b::808:808']],
    ['link local with a zone', ['fe80::1%eth0']],
    ['text that is not an address', ['example.com']],
  ])('rejects a name that resolves to %s', async (_what, addresses) => {
    await expect(vettedAddresses('example.com', production, giving(...addresses))).rejects.toBeInstanceOf(
      RefusedAddress,
    );
  });

  it('returns the addresses of a name if all are global', async () => {
    const resolve = giving('8.8.8.8', '2606:4700::1111');
    await expect(vettedAddresses('example.com', production, resolve)).resolves.toEqual(['8.8.8.8', '2606:4700::1111']);
  });

  it('checks a literal address without a DNS query', async () => {
    const resolve = () => Promise.reject(new Error('asked'));
    await expect(vettedAddresses('[::1]', production, resolve)).rejects.toBeInstanceOf(RefusedAddress);
    await expect(vettedAddresses('[::1]', development, resolve)).resolves.toEqual(['::1']);
    await expect(vettedAddresses('8.8.8.8', production, resolve)).resolves.toEqual(['8.8.8.8']);
  });

  it('fails for a name without an address', async () => {
    await expect(vettedAddresses('example.com', production, giving())).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
