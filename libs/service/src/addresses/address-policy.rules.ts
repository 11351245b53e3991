import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicyOptions {
  /** Whether loopback addresses are allowed, as in development. */
  readonly development: boolean;
  /** CIDR blocks of in-cluster receivers, separated by commas; empty: none. */
  readonly allowedCidrs?: string;
  /** Host names of in-cluster receivers, separated by commas; every address to which they resolve is allowed. */
  readonly allowedHosts?: string;
}

/** Which addresses customers' servers may have (docs/reference/endpoints-and-events.md). */
export interface AddressPolicy {
  readonly development: boolean;
  /** Whether the operator allowed this host name, regardless of the address to which it resolves. */
  allowsHost(host: string): boolean;
  /** Whether a connection to this address is allowed for a URL with this host. */
  allows(address: string, host: string): boolean;
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Normalizes a host: lower case, without a trailing dot and without the brackets of an IPv6 address. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/** Whether a host name always means this machine, regardless of the address to which it resolves. */
export function isLocalName(host: string): boolean {
  const name = plainHost(host);
  return name === 'localhost' || name.endsWith('.localhost');
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/** @throws Error naming the invalid block */
export function createAddressPolicy(options: AddressPolicyOptions): AddressPolicy {
  const blocks = list(options.allowedCidrs).map((entry) => ipaddr.parseCIDR(entry));
  const hosts = new Set(list(options.allowedHosts).map(plainHost));
  const allowsHost = (host: string): boolean => hosts.has(plainHost(host));
  return {
    development: options.development,
    allowsHost,
    allows: (address, host) =>
      isIP(address) !== 0 &&
      (isGlobalAddress(address) ||
        (options.development && isLoopback(address)) ||
        allowsHost(host) ||
        blocks.some((block) => liesIn(address, block))),
  };
}

/** An address outside the special ranges that is nevertheless not on the internet: the metadata and platform address of a cloud. */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * Whether a text is an address of the public internet, in the notation that operating systems return. False for all special ranges (loopback, private,
 * link-local, carrier NAT, documentation, multicast, unspecified, reserved, and the 6to4, Teredo, NAT64 and IPv4-mapped forms, which may contain any of the
 * former), and for text that is no address.
 */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || platformAddresses.has(address.toString())) return false;
  // Of IPv6, only 2000::/3 is assigned to the internet.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** Whether an address is in a block such as 10.1.0.0/16; false if their families differ. */
export function liesIn(text: string, [block, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.kind() === block.kind() && address.match(block, bits);
}
