import { isIP } from 'node:net';
import { vettedAddresses, type AddressPolicy, type AriClient, type Resolve } from '@parley/service';
import type { Database } from '@parley/runtime';
import { identifyOf, putObject } from '../../network';
import { listSipPeers } from './sip-peers.cross-tenant.sql';
import type { SipPeer } from './receiver.rules';

/** Returns the trunks whose calls come from an address. */
export type PeersAt = (address: string) => readonly SipPeer[];

export interface SipPeersOptions {
  readonly db: Database;
  readonly ari: Pick<AriClient, 'request'>;
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly nowMs: () => number;
}

/** How long a resolved host name is cached. */
const resolvedMs = 60_000;
/** Maximum of host names resolved concurrently. */
const atOnce = 16;

interface Resolved {
  readonly addresses: readonly string[];
  readonly atMs: number;
}

/** Keeps the list of addresses from which Asterisk accepts calls of trunks. */
export class SipPeers {
  private readonly resolved = new Map<string, Resolved>();
  private byAddress = new Map<string, SipPeer[]>();
  /** The addresses that are configured in Asterisk. */
  private readonly given = new Set<string>();

  constructor(private readonly options: SipPeersOptions) {}

  readonly at: PeersAt = (address) => this.byAddress.get(address) ?? [];

  /** Asterisk was restarted and has lost its configured addresses. */
  forget(): void {
    this.given.clear();
  }

  /** Reads the trunks and adds or removes their addresses in Asterisk. @throws AriUnreachable */
  async refresh(): Promise<void> {
    const peers = await listSipPeers(this.options.db);
    const hosts = [...new Set(peers.map(({ host }) => host))];
    for (let at = 0; at < hosts.length; at += atOnce)
      await Promise.all(hosts.slice(at, at + atOnce).map((host) => this.resolve(host)));
    const byAddress = new Map<string, SipPeer[]>();
    for (const peer of peers) {
      for (const address of this.resolved.get(peer.host)?.addresses ?? [])
        byAddress.set(address, [...(byAddress.get(address) ?? []), peer]);
    }
    this.byAddress = byAddress;
    for (const host of this.resolved.keys()) if (!hosts.includes(host)) this.resolved.delete(host);
    await this.updateAsterisk();
  }

  private async updateAsterisk(): Promise<void> {
    const { ari } = this.options;
    for (const address of this.byAddress.keys()) {
      if (this.given.has(address)) continue;
      await putObject(ari, identifyOf(address));
      this.given.add(address);
    }
    for (const address of this.given) {
      if (this.byAddress.has(address)) continue;
      const { type, id } = identifyOf(address);
      await ari.request('DELETE', `/asterisk/config/dynamic/res_pjsip/${type}/${id}`);
      this.given.delete(address);
    }
  }

  /** If a name cannot be resolved now, its previous addresses stay. */
  private async resolve(host: string): Promise<void> {
    const { policy, resolve, nowMs } = this.options;
    const known = this.resolved.get(host);
    if (known !== undefined && nowMs() - known.atMs < resolvedMs) return;
    const found = await vettedAddresses(host, policy, resolve).catch(() => known?.addresses ?? []);
    this.resolved.set(host, { addresses: found.filter((address) => isIP(address) === 4), atMs: nowMs() });
  }
}
