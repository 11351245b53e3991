import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicyOptions {
  /** The development profile: loopback addresses are allowed. */
  readonly development: boolean;
  /** CIDR blocks of in-cluster receivers, separated by commas; empty: none. */
  readonly allowedCidrs?: string;
  /** Host names of in-cluster receivers, separated by commas; any address they resolve to is allowed. */
  readonly allowedHosts?: string;
}

/** Which addresses an endpoint may have (docs/reference/endpoints-and-events.md). */
export interface AddressPolicy {
  readonly development: boolean;
  /** Whether the operator allowed this host name, whatever it resolves to. */
  allowsHost(host: string): boolean;
  /** Whether a connection to this address is allowed for a URL with this host. */
  allows(address: string, host: string): boolean;
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Lower case, without a trailing dot and without the brackets of an IPv6 literal. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/** Whether a name always means this machine, whatever it resolves to. */
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

/** Global by its range, but not on the internet: the metadata and platform address of one cloud. */
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
  // Of IPv6, only 2000::/3 is assigned to the internet.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** True if both have the same family and the address is in the block, such as 10.1.0.0/16. */
export function liesIn(text: string, [block, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.kind() === block.kind() && address.match(block, bits);
}
