import { internal } from '@parley/errors';
import type { ControlState, Maintenance } from '@parley/proto/auth';
import type { Background } from './background';
import type { Clock } from './clock';
import type { Logger } from './log';

export interface ControlStateMirrorOptions {
  /** Requests the changes since an epoch from auth; `'0'` requests the whole state. Its deadline should be shorter than `trustMs`. */
  fetch(sinceEpoch: string): Promise<ControlState>;
  clock: Clock;
  log: Logger;
  /** Milliseconds between the end of one poll and the start of the next; default 200. */
  pollMs?: number;
  /** Milliseconds for which the state counts as current, from the sending of a successful poll; default 1000. */
  trustMs?: number;
  /** Maximum of revoked keys that are kept, newest first. Default: 100,000, which need about 15 MB. */
  revokedLimit?: number;
}

/** How long a process may use a cached verification before it repeats it at auth. Revocations older than this cannot affect any cached verification. */
export const verificationMaxAgeMs = 120_000;

const defaultRevokedLimit = 100_000;

/** Revoked keys, and the epoch since which the list is complete. */
interface Revocations {
  readonly keyIds: Set<string>;
  readonly beganMs: number;
  upTo: bigint;
}

export interface MaintenanceState {
  active: boolean;
  /** The remaining time of the maintenance if its end is known, otherwise the configured value. */
  retryAfterSeconds: number;
  message: string;
}

/**
 * This process's copy of auth's control state (docs/reference/keys.md): revoked keys, suspensions and maintenance. It counts as current for one second from the
 * sending of the last successful poll, by the monotonic clock. If it is not current, callers must await `refreshed()` first.
 */
export class ControlStateMirror implements Background {
  readonly name = 'control-state';
  private appliedEpoch = '0';
  /** Two generations of revocations. The older one is dropped as a whole when the recent one is old or full. */
  private recent = this.noRevocations();
  private earlier = this.noRevocations();
  private forgotten = 0n;
  private replaced = 0;
  private organizations = new Set<string>();
  private agents = new Set<string>();
  private window: Maintenance | undefined;
  /** How many milliseconds the database's clock is ahead of ours. The database's clock determines when maintenance starts and ends. */
  private databaseAheadMs = 0;
  private trustedUntilMs = Number.NEGATIVE_INFINITY;
  private polling: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private failing = false;

  constructor(private readonly options: ControlStateMirrorOptions) {}

  /** Starts polling without waiting for the first response. */
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

  /** The newest applied epoch as decimal text; '0' before the first response. */
  get epoch(): string {
    return this.appliedEpoch;
  }

  isRevoked(keyId: string): boolean {
    return this.recent.keyIds.has(keyId) || this.earlier.keyIds.has(keyId);
  }

  /** Incremented when the whole state is replaced. `isRevoked` must not be used for verifications of an earlier generation; repeat them at auth. */
  get generation(): number {
    return this.replaced;
  }

  /**
   * Whether every revocation after this epoch is known here: only the newest ones are kept. `isRevoked` must not be used for verifications of an older epoch;
   * repeat them at auth.
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

  /** All suspended organizations, whose waiting work is paused. */
  suspendedOrganizationIds(): string[] {
    return [...this.organizations];
  }

  suspendedAgentIds(): string[] {
    return [...this.agents];
  }

  /** Whether there is maintenance now, by the database's clock. */
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
   * Resolves when the state is current: at once, or after one poll that all waiting callers share.
   * @throws internal_error 503 if auth does not respond; never resolves while the state is not current
   */
  async refreshed(): Promise<void> {
    // A second attempt is worthwhile, because the poll in progress may have been sent too long ago, or before this process stalled for longer than its
    // deadline.
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
      // auth has lost history (its database is new, or was restored from a backup), so our state may be wrong: the whole state is requested again.
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

  /** Forgets all revocations before this epoch. */
  private forgetAll(epoch: bigint): void {
    this.recent = this.noRevocations();
    this.earlier = this.noRevocations();
    this.forgotten = epoch;
    this.replaced += 1;
  }

  /**
   * Keeps the revocations that may affect a cached verification: at least those of the last `verificationMaxAgeMs`. If there are too many, older ones are
   * dropped, and cached verifications from before them are repeated once each.
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

  /** Logs one line when auth becomes unavailable, and one when it is available again. */
  private report(error: unknown): void {
    if (error !== undefined && !this.failing) this.options.log.warn({ err: error }, 'control state cannot be polled');
    if (error === undefined && this.failing) this.options.log.info('control state can be polled again');
    this.failing = error !== undefined;
  }
}
