import { internal } from '@parley/errors';
import type { ControlState, Maintenance } from '@parley/proto/auth';
import type { Background } from './background';
import type { Clock } from './clock';
import type { Logger } from './log';

export interface ControlStateMirrorOptions {
  /** Asks auth for what changed since an epoch; `'0'` asks for all. Wants a deadline shorter than `trustMs`. */
  fetch(sinceEpoch: string): Promise<ControlState>;
  clock: Clock;
  log: Logger;
  /** Between the end of one poll and the start of the next, 200 unless told. */
  pollMs?: number;
  /** From the sending of a poll that succeeded, 1000 unless told. */
  trustMs?: number;
  /** Revoked keys that are kept, the newest; 10,000 unless told. */
  revokedLimit?: number;
}

const defaultRevokedLimit = 10_000;

export interface MaintenanceState {
  active: boolean;
  retryAfterSeconds: number;
  message: string;
}

/**
 * Auth's control state as this process knows it (decisions section 3): revoked keys, suspensions, maintenance.
 * It is trusted for one second from the sending of the last poll that succeeded, by the monotonic clock; outside trust
 * ask `refreshed()` first.
 */
export class ControlStateMirror implements Background {
  readonly name = 'control-state';
  private appliedEpoch = '0';
  /** In the order of their revocation. */
  private revoked = new Set<string>();
  private forgotten = 0n;
  private organizations = new Set<string>();
  private agents = new Set<string>();
  private window: Maintenance | undefined;
  /** What the database's clock is ahead of ours, in milliseconds: it decides when a window starts and ends. */
  private databaseAheadMs = 0;
  private trustedUntilMs = Number.NEGATIVE_INFINITY;
  private polling: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private failing = false;

  constructor(private readonly options: ControlStateMirrorOptions) {}

  /** Begins to poll; does not wait for the first answer. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.tick();
  }

  async stop(): Promise<void> {
    this.running = false;
    clearTimeout(this.timer);
    await this.polling?.catch(() => undefined);
  }

  trusted(): boolean {
    return this.options.clock.monotonicMs() < this.trustedUntilMs;
  }

  /** The newest epoch that was applied, as a decimal text; '0' before the first answer. */
  get epoch(): string {
    return this.appliedEpoch;
  }

  isRevoked(keyId: string): boolean {
    return this.revoked.has(keyId);
  }

  /**
   * Whether every revocation after this epoch is known here: only the newest are kept. What auth said at an older epoch is not
   * told revoked any more by `isRevoked`; ask auth again.
   */
  knowsSince(epoch: bigint): boolean {
    return epoch >= this.forgotten;
  }

  isSuspendedOrganization(organizationId: string): boolean {
    return this.organizations.has(organizationId);
  }

  isSuspendedAgent(agentId: string): boolean {
    return this.agents.has(agentId);
  }

  /** All that are suspended now; what waits for them is held back. */
  suspendedOrganizationIds(): string[] {
    return [...this.organizations];
  }

  suspendedAgentIds(): string[] {
    return [...this.agents];
  }

  /** Whether a window is open now, by the database's clock. */
  maintenance(): MaintenanceState {
    const window = this.window;
    if (window === undefined || !window.active) return { active: false, retryAfterSeconds: 0, message: '' };
    const now = this.options.clock.now().getTime() + this.databaseAheadMs;
    const started = window.startsAt === '' || now >= Date.parse(window.startsAt);
    const over = window.endsAt !== '' && now >= Date.parse(window.endsAt);
    return { active: started && !over, retryAfterSeconds: window.retryAfterSeconds, message: window.message };
  }

  /**
   * Resolves when the state is trusted: at once where it is, after one poll otherwise (all who wait share it).
   * @throws internal_error 503 where auth cannot answer; never a stale yes
   */
  async refreshed(): Promise<void> {
    // The poll that is under way may have been sent too long ago, so a second one is worth its time.
    for (let attempt = 0; attempt < 2 && !this.trusted(); attempt++) {
      try {
        await this.poll();
      } catch (error) {
        throw internal(error, 503);
      }
    }
    if (!this.trusted()) throw internal(new Error('the control state arrived too late to be trusted'), 503);
  }

  private poll(): Promise<void> {
    return (this.polling ??= this.ask().finally(() => {
      this.polling = undefined;
    }));
  }

  private async ask(): Promise<void> {
    const { clock, fetch, trustMs = 1_000 } = this.options;
    const sentAt = clock.monotonicMs();
    const state = await fetch(this.appliedEpoch);
    // Auth lost history (a restored or fresh database): what we hold may be wrong, so all of it is asked for again.
    if (BigInt(state.epoch) < BigInt(this.appliedEpoch)) {
      this.appliedEpoch = '0';
      this.revoked = new Set();
      this.forgotten = 0n;
      throw new Error('the control epoch went backwards');
    }
    this.apply(state);
    this.trustedUntilMs = Math.max(this.trustedUntilMs, sentAt + trustMs);
  }

  private apply(state: ControlState): void {
    this.revoke(state);
    this.organizations = new Set(state.suspendedOrganizationIds);
    this.agents = new Set(state.suspendedAgentIds);
    this.window = state.maintenance;
    if (state.nowMs !== '' && state.nowMs !== '0') {
      this.databaseAheadMs = Number(state.nowMs) - this.options.clock.now().getTime();
    }
    this.appliedEpoch = state.epoch;
  }

  /** Keeps the newest; with the others goes the trust in everything that was verified before now. */
  private revoke({ revokedKeyIds, epoch }: ControlState): void {
    for (const keyId of revokedKeyIds) this.revoked.add(keyId);
    const { revokedLimit = defaultRevokedLimit } = this.options;
    if (this.revoked.size <= revokedLimit) return;
    this.revoked = new Set([...this.revoked].slice(-revokedLimit));
    this.forgotten = BigInt(epoch);
  }

  private tick(): void {
    this.poll()
      .then(() => this.report(undefined))
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        if (this.running) this.timer = setTimeout(() => this.tick(), this.options.pollMs ?? 200);
      })
      .catch(() => undefined);
  }

  /** One line when auth goes away, one when it is back. */
  private report(error: unknown): void {
    if (error !== undefined && !this.failing) this.options.log.warn({ err: error }, 'control state cannot be polled');
    if (error === undefined && this.failing) this.options.log.info('control state is polled again');
    this.failing = error !== undefined;
  }
}
