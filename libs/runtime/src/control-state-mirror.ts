import { internal } from '@parley/errors';
import type { ControlState, Maintenance } from '@parley/proto/auth';
import type { Background } from './background';
import type { Clock } from './clock';
import type { Logger } from './log';

export interface ControlStateMirrorOptions {
  /** Asks auth for what changed since an epoch; `'0'` asks for the whole state. Wants a deadline shorter than `trustMs`. */
  fetch(sinceEpoch: string): Promise<ControlState>;
  clock: Clock;
  log: Logger;
  /** Between the end of one poll and the start of the next, 200 by default. */
  pollMs?: number;
  /** From the sending of a poll that succeeded, 1000 by default. */
  trustMs?: number;
  /** Revoked keys that are kept, the newest. Default: 100,000, some 15 MB. */
  revokedLimit?: number;
}

/** How long a process may use a verification before it asks auth again; a revocation older than that concerns no verification. */
export const verificationMaxAgeMs = 120_000;

const defaultRevokedLimit = 100_000;

/** Revoked keys, and the epoch up to which they were revoked. */
interface Revocations {
  readonly keyIds: Set<string>;
  readonly beganMs: number;
  upTo: bigint;
}

export interface MaintenanceState {
  active: boolean;
  /** What remains of a window whose end is known, else what was set for it. */
  retryAfterSeconds: number;
  message: string;
}

/**
 * Auth's control state as this process knows it (docs/reference/keys.md): revoked keys, suspensions, maintenance.
 * It is trusted for one second from the sending of the last poll that succeeded, by the monotonic clock; outside trust
 * ask `refreshed()` first.
 */
export class ControlStateMirror implements Background {
  readonly name = 'control-state';
  private appliedEpoch = '0';
  /** Two periods of revocations: the older one is forgotten as a whole when the recent one is old or full. */
  private recent = this.noRevocations();
  private earlier = this.noRevocations();
  private forgotten = 0n;
  private replaced = 0;
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
    return this.recent.keyIds.has(keyId) || this.earlier.keyIds.has(keyId);
  }

  /** Counts how often the state was replaced as a whole. What was verified under an earlier one is not for `isRevoked`; ask auth again. */
  get generation(): number {
    return this.replaced;
  }

  /**
   * Whether every revocation after this epoch is known here: only the newest are kept. What auth said at an older epoch is not
   * for `isRevoked` any more; ask auth again.
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
    const leftMs = window.endsAt === '' ? undefined : Date.parse(window.endsAt) - now;
    const over = leftMs !== undefined && leftMs <= 0;
    const retryAfterSeconds = leftMs === undefined ? window.retryAfterSeconds : Math.max(1, Math.ceil(leftMs / 1000));
    return { active: started && !over, retryAfterSeconds, message: window.message };
  }

  /**
   * Resolves when the state is trusted: at once where it is, after one poll otherwise (all who wait share it).
   * @throws internal_error 503 where auth cannot answer; never a stale yes
   */
  async refreshed(): Promise<void> {
    // The poll that is under way may have been sent too long ago, or before this process stood still for longer than its deadline, so a second one is worth
    // its time.
    for (let attempt = 0; attempt < 2 && !this.trusted(); attempt++) {
      const joined = this.polling !== undefined;
      try {
        await this.poll();
      } catch (error) {
        if (!joined || attempt > 0) throw internal(error, 503);
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
    for (let more = true; more;) {
      const sentAt = clock.monotonicMs();
      const state = await fetch(this.appliedEpoch);
      // Auth lost history (a restored or fresh database): what we hold may be wrong, so all of it is asked for again.
      if (BigInt(state.epoch) < BigInt(this.appliedEpoch)) {
        this.appliedEpoch = '0';
        this.forgetAll(0n);
        throw new Error('the control epoch went backwards');
      }
      this.apply(state);
      more = state.more;
      if (!more) this.trustedUntilMs = Math.max(this.trustedUntilMs, sentAt + trustMs);
    }
  }

  private apply(state: ControlState): void {
    if (state.complete) {
      this.forgetAll(BigInt(state.epoch));
      this.organizations = new Set();
      this.agents = new Set();
    }
    this.revoke(state);
    for (const id of state.suspendedOrganizationIds) this.organizations.add(id);
    for (const id of state.suspendedAgentIds) this.agents.add(id);
    for (const id of state.reinstatedOrganizationIds) this.organizations.delete(id);
    for (const id of state.reinstatedAgentIds) this.agents.delete(id);
    this.window = state.maintenance;
    if (state.nowMs !== '' && state.nowMs !== '0') {
      this.databaseAheadMs = Number(state.nowMs) - this.options.clock.now().getTime();
    }
    this.appliedEpoch = state.epoch;
  }

  /** No revocation before this epoch is known. */
  private forgetAll(epoch: bigint): void {
    this.recent = this.noRevocations();
    this.earlier = this.noRevocations();
    this.forgotten = epoch;
    this.replaced += 1;
  }

  /**
   * Keeps what may concern a verification: those of the last `verificationMaxAgeMs` at least. Where so many come that there is no room for them,
   * verifications from before the forgotten ones are made again, each once.
   */
  private revoke({ revokedKeyIds, epoch }: ControlState): void {
    const { clock, revokedLimit = defaultRevokedLimit } = this.options;
    const old = clock.monotonicMs() - this.recent.beganMs >= verificationMaxAgeMs;
    const full = this.recent.keyIds.size + revokedKeyIds.length > revokedLimit / 2;
    if (old || (full && this.recent.keyIds.size > 0)) {
      if (this.earlier.keyIds.size > 0) this.forgotten = this.earlier.upTo;
      this.earlier = this.recent;
      this.recent = this.noRevocations();
    }
    for (const keyId of revokedKeyIds) this.recent.keyIds.add(keyId);
    this.recent.upTo = BigInt(epoch);
  }

  private noRevocations(): Revocations {
    return { keyIds: new Set(), beganMs: this.options.clock.monotonicMs(), upTo: 0n };
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
