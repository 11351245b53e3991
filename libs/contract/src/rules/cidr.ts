import { BlockList, isIP } from 'node:net';

interface Block {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function blockOf(text: string): Block | undefined {
  const [, address = '', digits = ''] = /^([0-9a-fA-F.:]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const version = isIP(address);
  const bits = Number(digits);
  if (version === 0 || digits === '' || bits > (version === 4 ? 32 : 128)) return undefined;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether a text is a CIDR block, such as 192.0.2.0/24 or 2001:db8::/32. */
export const isCidr = (text: string): boolean => blockOf(text) !== undefined;

/** Creates a function that checks whether an address is in one of the blocks; invalid blocks are ignored. */
export function addressesIn(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of cidrs.map(blockOf))
    if (block !== undefined) list.addSubnet(block.address, block.bits, block.family);
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether one of the other blocks completely covers the block. */
export function liesWithin(cidr: string, others: readonly string[]): boolean {
  const block = blockOf(cidr);
  if (block === undefined) return false;
  return others.some((other) => {
    const outer = blockOf(other);
    return outer?.family === block.family && outer.bits <= block.bits && addressesIn([other])(block.address);
  });
}
