import type { ProviderError } from '@parley/providers';
import { asked, closedCircuit, failed, mayAsk, succeeded, type Circuit } from './breaker';

/** First events of so many requests are remembered. */
const remembered = 100;

/** What this process knows of providers, by provider and credential. Shared by its calls. */
export class Breakers {
  private readonly circuits = new Map<string, Circuit>();
  private readonly waits = new Map<string, number[]>();

  /** @param now in milliseconds */
  constructor(private readonly now: () => number) {}

  mayAsk(key: string): boolean {
    return mayAsk(this.of(key), this.now());
  }

  asked(key: string): void {
    this.circuits.set(key, asked(this.of(key)));
  }

  succeeded(key: string, firstEventMs?: number): void {
    this.circuits.set(key, succeeded());
    if (firstEventMs === undefined) return;
    const waits = this.waits.get(key) ?? [];
    waits.push(firstEventMs);
    if (waits.length > remembered) waits.shift();
    this.waits.set(key, waits);
  }

  failed(key: string, error: ProviderError): void {
    this.circuits.set(key, failed(this.of(key), error.code, this.now(), error.retryAfterMs));
  }

  /** What nine of ten requests waited for their first event; undefined before ten are known. */
  usualWaitMs(key: string): number | undefined {
    const waits = [...(this.waits.get(key) ?? [])].sort((one, other) => one - other);
    return waits.length < 10 ? undefined : waits[Math.floor(0.9 * waits.length)];
  }

  private of(key: string): Circuit {
    return this.circuits.get(key) ?? closedCircuit;
  }
}
