import { LRUCache } from 'lru-cache';
import type { CallCreate, CapsRule } from '@parley/contract';
import { conflict, internal } from '@parley/errors';
import { Batcher, type CreatingRequest, type Settled } from '@parley/service';
import { newId, type Database, type Queryable } from '@parley/runtime';
import { writeTurn, type Admission } from './admission.sql';
import type { AdmissionLook, SendingNumber } from './admission-look.sql';
import { lockLaneAndState } from '../organizations';
import { countBooked } from './scheduled-calls.sql';
import {
  admitTurn,
  stateAfter,
  type AdmissionDecision,
  type AdmissionRefusal,
  type TurnDecisions,
} from './admit-turn.rules';
import { type Call, type PolicyDecision, renderCall } from '../calls';
import { jobDialerOf } from '../queue';
import { newestBasis, type Basis, type Memory } from './admission-basis';
import type { AskedAgent } from './agent-questions';
import { firstEvents, newCall } from './new-call';

/** A call for which everything is settled but the caps. */
export interface Candidate {
  readonly request: CreatingRequest;
  readonly body: CallCreate;
  readonly asked: AskedAgent;
  readonly from: SendingNumber;
  /** What a worker must be able to do to conduct it. */
  readonly needs: readonly string[];
  readonly look: AdmissionLook;
  readonly policy: PolicyDecision;
  /** Of the organization's policy; the turn alone can hold them. */
  readonly caps: CapsRule | undefined;
  /** It is booked for a time to come, when it is judged. */
  readonly later: boolean;
  /** The id of the key or of the campaign. */
  readonly placedBy: string;
  readonly traceparent: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export type Admitted =
  | { readonly outcome: 'admitted'; readonly call: Call; readonly rendered: string; readonly replayed: boolean }
  | { readonly outcome: 'refused'; readonly refusal: AdmissionRefusal; readonly drainPerSecond: number }
  /** Another request with the same key was first; `recall` answers. */
  | { readonly outcome: 'remembered' };

export type AdmissionTurns = Batcher<Candidate, Admitted>;

export interface AdmissionTurnsOptions {
  readonly db: Database;
  readonly queueCap: number;
  /** Calls that may be booked at once in an organization. */
  readonly bookedCap: number;
  /** Makes sure of an organization's hot row. */
  open(organizationId: string): Promise<void>;
}

/** Turns for which the hot row is locked first, after another process was seen to admit to the same organization. */
const cautiousTurns = 32;

/**
 * Admits the calls of an organization in turns (ADR 0018). A turn is decided in memory, on the newest state known, and
 * written by one statement that holds only if no one took room since; else the hot row is locked first and the turn decided
 * again. No one is answered before the commit. A turn that fails for what one of its requests holds is tried one by one.
 */
export function admissionTurns(options: AdmissionTurnsOptions): AdmissionTurns {
  const turn = new AdmissionTurn(options);
  return new Batcher<Candidate, Admitted>({
    run: (organizationId, candidates) => turn.run(organizationId, candidates),
    bytesOf: ({ body, asked }) => asked.tuning.length + 2 * JSON.stringify([body.metadata, body.variables]).length,
  });
}

class AdmissionTurn {
  private readonly memories = new LRUCache<string, Memory>({ max: 2_000 });

  constructor(private readonly options: AdmissionTurnsOptions) {}

  async run(organizationId: string, candidates: readonly Candidate[]): Promise<readonly Settled<Admitted>[]> {
    const outcomes = new Map<Candidate, Settled<Admitted>>();
    let open = [...candidates];
    while (open.length > 0) {
      const leaders = new Map<string, Candidate>();
      const turn: Candidate[] = [];
      const followers: Candidate[] = [];
      for (const candidate of open) {
        const { key } = candidate.request;
        if (candidate.signal?.aborted === true) outcomes.set(candidate, { error: gone(candidate.signal) });
        else if (key !== '' && leaders.has(key)) followers.push(candidate);
        else {
          turn.push(candidate);
          if (key !== '') leaders.set(key, candidate);
        }
      }
      await this.settle(organizationId, turn, outcomes);
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

  /** Settles requests with different keys together, or one by one when that fails for what one of them holds. */
  private async settle(
    organizationId: string,
    turn: readonly Candidate[],
    outcomes: Map<Candidate, Settled<Admitted>>,
  ): Promise<void> {
    if (turn.length === 0) return;
    const together = await this.decideAndWrite(organizationId, turn).catch((error: unknown) => {
      this.forget(organizationId);
      if (turn.length === 1 || !isOfOneRequest(error)) throw error;
      return undefined;
    });
    if (together !== undefined) {
      turn.forEach((candidate, place) => outcomes.set(candidate, { value: together[place] as Admitted }));
      return;
    }
    if (turn.length === 1) {
      for (const candidate of turn) outcomes.set(candidate, { value: { outcome: 'remembered' } });
      return;
    }
    for (const candidate of turn) {
      await this.settle(organizationId, [candidate], outcomes).catch((error: unknown) =>
        outcomes.set(candidate, { error }),
      );
    }
  }

  /** Undefined: one of the keys was taken meanwhile, and nothing is written. */
  private async decideAndWrite(
    organizationId: string,
    turn: readonly Candidate[],
  ): Promise<readonly Admitted[] | undefined> {
    const memory = this.memories.get(organizationId);
    const basis = newestBasis(turn, memory);
    const books = turn.some(({ later }) => later);
    // Bookings are counted under the hot row's lock; the count holds until another process raises the revision.
    const counted = !books || basis?.booked !== undefined;
    if (basis !== undefined && counted && (memory?.cautious ?? 0) === 0) {
      const decided = this.decide(turn, basis);
      const refused = decided.decisions.some((decision) => !decision.admitted || decision.capped);
      // Room may have been made since an older state, and since bookings were counted: anyone who is refused or capped is so by what is true now.
      if (!refused || (basis.fresh && !books)) {
        const written = await this.write(this.options.db, organizationId, turn, basis, decided);
        if (written !== 'overtaken') return written;
        this.memories.set(organizationId, { state: undefined, booked: undefined, cautious: cautiousTurns });
      }
    }
    return this.decideLocked(organizationId, turn, books);
  }

  private async decideLocked(
    organizationId: string,
    turn: readonly Candidate[],
    books: boolean,
  ): Promise<readonly Admitted[] | undefined> {
    const { db, open } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      const written = await db.transaction(async (tx) => {
        const locked = await lockLaneAndState(tx, organizationId);
        if (locked === undefined) return 'unopened' as const;
        const booked = books ? await countBooked(tx, organizationId) : undefined;
        const basis = { ...locked, fresh: true, booked };
        return this.write(tx, organizationId, turn, basis, this.decide(turn, basis), true);
      });
      if (written !== 'unopened' && written !== 'overtaken') return written;
      if (attempt === 3) throw new Error('the hot row of an organization cannot be held');
      await open(organizationId);
    }
  }

  private decide(turn: readonly Candidate[], { state, now, booked = 0 }: Basis): TurnDecisions {
    const requests = turn.map(({ look, body, asked, policy, caps, later }) => ({
      suppressed: look.suppressed.has(body.to),
      holdMicros: asked.holdMicros,
      policy,
      caps,
      later,
    }));
    const { queueCap, bookedCap } = this.options;
    return admitTurn(state, requests, now, queueCap, { booked, cap: bookedCap });
  }

  private async write(
    db: Queryable,
    organizationId: string,
    turn: readonly Candidate[],
    { state, now, booked }: Basis,
    { decisions, change }: TurnDecisions,
    laneTaken = false,
  ): Promise<readonly Admitted[] | undefined | 'overtaken'> {
    const written = turn.map((candidate, place) => madeOf(candidate, decisions[place] as AdmissionDecision, now));
    const admissions = written.flatMap((made) => ('admission' in made ? [made.admission] : []));
    const outcome = await writeTurn(db, organizationId, {
      admissions,
      revision: state.revision,
      change,
      laneTaken,
    });
    if (outcome === 'overtaken') return 'overtaken';
    if (outcome === 'remembered') return undefined;
    const cautious = Math.max(0, (this.memories.get(organizationId)?.cautious ?? 0) - 1);
    this.memories.set(organizationId, {
      state: admissions.length === 0 ? state : stateAfter(state, change),
      booked:
        booked === undefined
          ? undefined
          : booked + turn.filter(({ later }, place) => later && decisions[place]?.admitted).length,
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
 * A request with the key of one before it in its turn: the same answer, or a conflict where a call was made of another body.
 * Undefined: anyone who was before it came to nothing that binds it, and the key is free for its own try.
 */
function follow(
  follower: Candidate,
  leader: Candidate | undefined,
  outcome: Settled<Admitted> | undefined,
): Settled<Admitted> | undefined {
  if (leader === undefined || outcome === undefined || !('value' in outcome)) return undefined;
  const same = leader.request.fingerprint.equals(follower.request.fingerprint);
  switch (outcome.value.outcome) {
    case 'remembered':
      return outcome;
    case 'refused':
      return same ? outcome : undefined;
    case 'admitted':
      if (!same) return { error: conflict('the Idempotency-Key was used for a different request') };
      return { value: { ...outcome.value, replayed: true } };
  }
}

const gone = (signal: AbortSignal): Error => internal(signal.reason, 503);

/** Classes of SQLSTATE that speak of the data of a statement, or of a collision: others than one request are not to blame. */
const ofData = /^(21|22|23|40|54)/;

const isOfOneRequest = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && ofData.test(error.code);
