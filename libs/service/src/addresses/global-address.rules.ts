import ipaddr from 'ipaddr.js';

/** Global by its range, yet not a place of the internet: the metadata and platform address of one cloud. */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * True for an address of the public internet, written as an operating system gives it back. False for everything in a
 * special range (loopback, private, link local, carrier NAT, documentation, multicast, unspecified, reserved, 6to4,
 * Teredo, NAT64 and IPv4-mapped forms, which may hide any of the former), and for text that is not an address.
 */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || platformAddresses.has(address.toString())) return false;
  // Of IPv6 only 2000::/3 is assigned to the internet at all.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** True when both are of one family and the address lies in the block, such as 10.1.0.0/16. */
export function liesIn(text: string, [block, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.kind() === block.kind() && address.match(block, bits);
}
