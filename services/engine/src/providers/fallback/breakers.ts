import type { ProviderError } from '@parley/providers';
import { asked, closedCircuit, failed, mayAsk, succeeded, type Circuit } from './breaker';

/** The number of requests whose time to first event is remembered. */
const remembered = 100;

/** Circuit breakers by provider and credential, shared by the calls of this process. */
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

  /** The 90th percentile of the time to the first event; undefined before ten requests. */
  usualWaitMs(key: string): number | undefined {
    const waits = [...(this.waits.get(key) ?? [])].sort((one, other) => one - other);
    return waits.length < 10 ? undefined : waits[Math.floor(0.9 * waits.length)];
  }

  private of(key: string): Circuit {
    return this.circuits.get(key) ?? closedCircuit;
  }
}
