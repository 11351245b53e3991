import { LRUCache } from 'lru-cache';
import type { CallCreate, CapsRule } from '@parley/contract';
import { conflict, internal } from '@parley/errors';
import { Batcher, type CreatingRequest, type Settled } from '@parley/service';
import { newId, type Database, type Queryable } from '@parley/runtime';
import {
  type AdmissionSnapshot,
  lockCounters,
  type SendingNumber,
  type Call,
  type PolicyDecision,
  renderCall,
  jobDialerOf,
  writeAdmissionBatch,
  type Admission,
} from '../../books';
import { countScheduled } from './scheduled-calls.sql';
import {
  admitBatch,
  stateAfter,
  type AdmissionDecision,
  type AdmissionRefusal,
  type BatchDecisions,
} from './admit-batch.rules';
import { newestBasis, type Basis, type Memory } from './admission-basis';
import type { AdmissionSnapshots } from './admission-snapshots';
import type { AgentSnapshot, AskAgent } from '../../dispatch';
import { firstEvents, newCall } from './new-call';

/** A call that only the caps can still refuse. */
export interface Candidate {
  readonly request: CreatingRequest;
  readonly body: CallCreate;
  readonly agentSnapshot: AgentSnapshot;
  readonly from: SendingNumber;
  /** Capabilities that a worker needs to conduct it. */
  readonly needs: readonly string[];
  readonly snapshot: AdmissionSnapshot;
  readonly policy: PolicyDecision;
  readonly suppressed: boolean;
  /** The caps of the organization's policy; only the batch can enforce them. */
  readonly caps: CapsRule | undefined;
  /** The call is scheduled for later: policy and caps are checked when it is due. */
  readonly later: boolean;
  /** The id of the key or of the campaign. */
  readonly placedBy: string;
  readonly traceparent: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export type Admitted =
  | { readonly outcome: 'admitted'; readonly call: Call; readonly rendered: string; readonly replayed: boolean }
  | { readonly outcome: 'refused'; readonly refusal: AdmissionRefusal; readonly drainPerSecond: number }
  /** Another request with the same key was written first; `findStoredResponse` returns its response. */
  | { readonly outcome: 'key_taken' };

export type AdmissionBatches = Batcher<Candidate, Admitted>;

/** State shared by concurrent admissions (ADR 0018). */
export interface Admissions {
  readonly ask: AskAgent;
  readonly snapshots: AdmissionSnapshots;
  readonly batches: AdmissionBatches;
  /** One batcher per route, because idempotency keys are scoped by route. */
  readonly messageSnapshots: AdmissionSnapshots;
  readonly templateMessageSnapshots: AdmissionSnapshots;
  readonly workerMessageSnapshots: AdmissionSnapshots;
}

export interface Intake {
  readonly admission: Admissions;
}

export interface AdmissionBatchesOptions {
  readonly db: Database;
  readonly queueCap: number;
  /** Maximum of scheduled calls in an organization. */
  readonly scheduledCap: number;
  /** Creates the organization's counter row (`organization_controls`) if it is missing. */
  open(organizationId: string): Promise<void>;
}

/** After another process was seen admitting calls of the same organization, this many batches lock the counter row before they decide. */
const cautiousBatches = 32;

/**
 * Admits the calls of an organization in batches (ADR 0018). A batch is decided in memory on the newest known state and written by one statement, which takes
 * effect only if no other process changed the state since. Otherwise the counter row is locked and the batch is decided again. Requests receive their
 * responses after the commit. If a batch fails because of the data of one request, its requests are retried one by one.
 */
export function admissionBatches(options: AdmissionBatchesOptions): AdmissionBatches {
  const batch = new AdmissionBatch(options);
  return new Batcher<Candidate, Admitted>({
    run: (organizationId, candidates) => batch.run(organizationId, candidates),
    bytesOf: ({ body, agentSnapshot }) =>
      agentSnapshot.tuning.length + 2 * JSON.stringify([body.metadata, body.variables]).length,
  });
}

class AdmissionBatch {
  private readonly memories = new LRUCache<string, Memory>({ max: 2_000 });

  constructor(private readonly options: AdmissionBatchesOptions) {}

  async run(organizationId: string, candidates: readonly Candidate[]): Promise<readonly Settled<Admitted>[]> {
    const outcomes = new Map<Candidate, Settled<Admitted>>();
    let open = [...candidates];
    while (open.length > 0) {
      const leaders = new Map<string, Candidate>();
      const batch: Candidate[] = [];
      const followers: Candidate[] = [];
      for (const candidate of open) {
        const { key } = candidate.request;
        if (candidate.signal?.aborted === true) outcomes.set(candidate, { error: gone(candidate.signal) });
        else if (key !== '' && leaders.has(key)) followers.push(candidate);
        else {
          batch.push(candidate);
          if (key !== '') leaders.set(key, candidate);
        }
      }
      await this.settle(organizationId, batch, outcomes);
      open = [];
      for (const follower of followers) {
        const leader = leaders.get(follower.request.key);
        const outcome = follow(follower, leader, leader && outcomes.get(leader));
        if (outcome === undefined) open.push(follower);
        else outcomes.set(follower, outcome);
      }
    }
    return candidates.map((candidate) => outcomes.get(candidate) ?? { error: new Error('a call was not decided') });
  }

  /** Admits requests with different keys in one transaction; one by one if that fails because of one request's data. */
  private async settle(
    organizationId: string,
    batch: readonly Candidate[],
    outcomes: Map<Candidate, Settled<Admitted>>,
  ): Promise<void> {
    if (batch.length === 0) return;
    const together = await this.decideAndWrite(organizationId, batch).catch((error: unknown) => {
      this.forget(organizationId);
      if (batch.length === 1 || !isOfOneRequest(error)) throw error;
      return undefined;
    });
    if (together !== undefined) {
      batch.forEach((candidate, place) => outcomes.set(candidate, { value: together[place] as Admitted }));
      return;
    }
    if (batch.length === 1) {
      for (const candidate of batch) outcomes.set(candidate, { value: { outcome: 'key_taken' } });
      return;
    }
    for (const candidate of batch) {
      await this.settle(organizationId, [candidate], outcomes).catch((error: unknown) =>
        outcomes.set(candidate, { error }),
      );
    }
  }

  /** Returns undefined if one of the keys was taken concurrently; nothing is written then. */
  private async decideAndWrite(
    organizationId: string,
    batch: readonly Candidate[],
  ): Promise<readonly Admitted[] | undefined> {
    const memory = this.memories.get(organizationId);
    const basis = newestBasis(batch, memory);
    const schedules = batch.some(({ later }) => later);
    // Scheduled calls are counted under the counter row's lock; the count is valid until another process raises the revision.
    const counted = !schedules || basis?.scheduled !== undefined;
    if (basis !== undefined && counted && (memory?.cautious ?? 0) === 0) {
      const decided = this.decide(batch, basis);
      const refused = decided.decisions.some((decision) => !decision.admitted || decision.capped);
      // Capacity may have been released since an older state was read or since scheduled calls were counted, so a refusal or a cap must be based on the current
      // state.
      if (!refused || (basis.fresh && !schedules)) {
        const written = await this.write(this.options.db, organizationId, batch, basis, decided);
        if (written !== 'overtaken') return written;
        this.memories.set(organizationId, { state: undefined, scheduled: undefined, cautious: cautiousBatches });
      }
    }
    return this.decideLocked(organizationId, batch, schedules);
  }

  private async decideLocked(
    organizationId: string,
    batch: readonly Candidate[],
    schedules: boolean,
  ): Promise<readonly Admitted[] | undefined> {
    const { db, open } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      const written = await db.transaction(async (tx) => {
        const locked = await lockCounters(tx, organizationId, true);
        if (locked === undefined) return 'unopened' as const;
        const scheduled = schedules ? await countScheduled(tx, organizationId) : undefined;
        const basis = { ...locked, fresh: true, scheduled };
        return this.write(tx, organizationId, batch, basis, this.decide(batch, basis), true);
      });
      if (written !== 'unopened' && written !== 'overtaken') return written;
      if (attempt === 3) throw new Error('the counter row of an organization cannot be locked');
      await open(organizationId);
    }
  }

  private decide(batch: readonly Candidate[], { state, now, scheduled = 0 }: Basis): BatchDecisions {
    const requests = batch.map((candidate) => ({ ...candidate, holdMicros: candidate.agentSnapshot.holdMicros }));
    const { queueCap, scheduledCap } = this.options;
    return admitBatch(state, requests, now, queueCap, { scheduled, cap: scheduledCap });
  }

  private async write(
    db: Queryable,
    organizationId: string,
    batch: readonly Candidate[],
    { state, now, scheduled }: Basis,
    { decisions, change }: BatchDecisions,
    queueTaken = false,
  ): Promise<readonly Admitted[] | undefined | 'overtaken'> {
    const written = batch.map((candidate, place) => madeOf(candidate, decisions[place] as AdmissionDecision, now));
    const admissions = written.flatMap((made) => ('admission' in made ? [made.admission] : []));
    const outcome = await writeAdmissionBatch(db, organizationId, {
      admissions,
      revision: state.revision,
      change,
      queueTaken,
    });
    if (outcome === 'overtaken') return 'overtaken';
    if (outcome === 'key_taken') return undefined;
    const cautious = Math.max(0, (this.memories.get(organizationId)?.cautious ?? 0) - 1);
    this.memories.set(organizationId, {
      state: admissions.length === 0 ? state : stateAfter(state, change),
      scheduled:
        scheduled === undefined
          ? undefined
          : scheduled + batch.filter(({ later }, place) => later && decisions[place]?.admitted).length,
      cautious,
    });
    return written.map((made) =>
      'admission' in made
        ? { outcome: 'admitted', call: made.admission.call, rendered: made.admission.rendered, replayed: false }
        : { outcome: 'refused', refusal: made.refusal, drainPerSecond: state.drainPerSecond },
    );
  }

  private forget(organizationId: string): void {
    this.memories.delete(organizationId);
  }
}

type Made = { readonly admission: Admission } | { readonly refusal: AdmissionRefusal };

function madeOf(candidate: Candidate, decision: AdmissionDecision, now: Date): Made {
  if (!decision.admitted) return { refusal: decision.refusal };
  const call = newCall({ ...candidate, policy: decision.policy }, decision, now);
  const rendered = renderCall(call);
  return {
    admission: {
      request: candidate.request,
      call,
      rendered,
      events: firstEvents(call, rendered),
      jobId: call.status === 'queued' ? newId('job') : null,
      consent: candidate.body.consent === true,
      language: candidate.body.language,
      priority: candidate.body.priority ?? 'normal',
      dialer: jobDialerOf(candidate.from),
      placedBy: candidate.placedBy,
      traceparent: candidate.traceparent,
    },
  };
}

/**
 * The result for a request with the same key as an earlier one in its batch: the same response, or a conflict if the earlier call was created from a different
 * body. Undefined: the earlier request failed, so this one may use the key.
 */
function follow(
  follower: Candidate,
  leader: Candidate | undefined,
  outcome: Settled<Admitted> | undefined,
): Settled<Admitted> | undefined {
  if (leader === undefined || outcome === undefined || !('value' in outcome)) return undefined;
  const same = leader.request.fingerprint.equals(follower.request.fingerprint);
  switch (outcome.value.outcome) {
    case 'key_taken':
      return outcome;
    case 'refused':
      return same ? outcome : undefined;
    case 'admitted':
      if (!same) return { error: conflict('the Idempotency-Key was used for a different request') };
      return { value: { ...outcome.value, replayed: true } };
  }
}

const gone = (signal: AbortSignal): Error => internal(signal.reason, 503);

/** Classes of SQLSTATE that a statement's data or a conflict causes: one request of the batch is to blame, the others may succeed. */
const ofData = /^(21|22|23|40|54)/;

const isOfOneRequest = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && ofData.test(error.code);
