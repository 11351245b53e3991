import type { OutgoingContext } from '@parley/runtime';
import type { ProviderAccounts } from '../accounts';
import { inventoryProtocols, type InventoryProtocol, type ListedVoice } from '../providers';
import { hasVoice, InventoryFailure, readInventory } from './read-inventory';

/** Identifies an inventory by its provider and account. */
export interface InventoryOf {
  readonly organizationId: string;
  readonly provider: string;
  /** Empty: the installation's account. */
  readonly credentialId: string;
}

export interface Inventory {
  readonly voices: readonly ListedVoice[];
  /** Whether a voice exists that the list does not contain. @throws InventoryFailure */
  has(voiceId: string): Promise<boolean>;
}

/** How long an inventory is cached. This is also the maximum delay until a rotated secret is used. */
const trustMs = 60_000;
/** How long a failure is cached, so that not every save sends a request to an unavailable provider. */
const mistrustMs = 5_000;
const mostKept = 500;

interface Kept {
  readonly until: number;
  readonly inventory: Promise<Inventory | undefined>;
}

/** Caches the inventories of voices by organization and credential. */
export class Inventories {
  /** Entries in order of insertion, oldest first. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly now: () => number,
  ) {}

  /** @returns undefined if there is no account @throws InventoryFailure; AppError if auth is unavailable */
  async of(wanted: InventoryOf, context: OutgoingContext): Promise<Inventory | undefined> {
    const protocol = protocolOf(wanted.provider);
    if (protocol === undefined) return undefined;
    const key = JSON.stringify([wanted.organizationId, wanted.provider, wanted.credentialId]);
    const known = this.kept.get(key);
    if (known !== undefined && known.until > this.now()) return known.inventory;
    const inventory = this.read(protocol, wanted, context);
    this.keep(key, { until: this.now() + trustMs, inventory });
    inventory.catch((error: unknown) => {
      if (this.kept.get(key)?.inventory !== inventory) return;
      // An internal error is not a failure of the provider, so it is not cached.
      if (error instanceof InventoryFailure) this.keep(key, { until: this.now() + mistrustMs, inventory });
      else this.kept.delete(key);
    });
    return inventory;
  }

  private async read(
    protocol: InventoryProtocol,
    wanted: InventoryOf,
    context: OutgoingContext,
  ): Promise<Inventory | undefined> {
    // Several requests share this read, so it does not use the abort signal of the request that started it.
    const { signal: _ofOneRequest, ...lasting } = context;
    const account = await this.accounts.open({ ...wanted, purpose: 'voices' }, lasting);
    if (account === undefined) return undefined;
    const voices = await readInventory(protocol, account);
    const ids = new Set(voices.map(({ voice_id: id }) => id));
    const asking = new Map<string, Promise<boolean>>();
    return {
      voices,
      has: (voiceId) => {
        if (ids.has(voiceId)) return Promise.resolve(true);
        if (protocol.one === undefined) return Promise.resolve(true);
        const known = asking.get(voiceId);
        if (known !== undefined) return known;
        const asked = hasVoice(protocol, account, protocol.one(voiceId));
        if (asking.size < mostKept) asking.set(voiceId, asked);
        asked.catch(() => asking.delete(voiceId));
        return asked;
      },
    };
  }

  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= mostKept && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, kept);
  }
}

export const protocolOf = (provider: string): InventoryProtocol | undefined =>
  Object.hasOwn(inventoryProtocols, provider) ? inventoryProtocols[provider] : undefined;
