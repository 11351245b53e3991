import type {
  CallChannel,
  CallDirection,
  CallStatus,
  MailboxProof,
  policyVerdicts,
  SimulatorPace,
} from '@parley/contract';

export type { CallStatus } from '@parley/contract';
export type PolicyVerdict = (typeof policyVerdicts)[number];

/** The decision of the outbound policy about a call; `rules` are the ids of the rules that decided. */
export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  readonly rules: readonly string[];
  /** JSON of PolicyNotes: readable reasons, and the decisions that rules in shadow mode would have made. Null for none. */
  readonly notes?: string | null;
}

/** The configuration of a call: fixed at admission, unaffected by later changes of the agent. */
export interface PinnedConfiguration {
  /** hosted | external_audio | external_text */
  readonly mode: string;
  /** 0 if the agent was never published and its draft was compiled for this call. */
  readonly publicationVersion: number;
  readonly publicationSha256: string;
  /** JSON of the class CallTuning. */
  readonly tuning: string;
  readonly language: string;
  readonly recordingEnabled: boolean;
  readonly costMicrosPerMinute: number;
}

/** A call as stored. Timestamps are null until the step is reached. */
export interface Call extends PinnedConfiguration {
  readonly callId: string;
  readonly organizationId: string;
  /** Both empty if an incoming call belongs to no organization. */
  readonly projectId: string;
  readonly agentId: string;
  readonly direction: CallDirection;
  readonly channel: CallChannel;
  /** Both numbers are empty if the channel has none. */
  readonly from: string;
  /** What an incoming call named as its caller, if that is no number in E.164 form. */
  readonly fromRaw: string | null;
  readonly to: string;
  readonly status: CallStatus;
  /** A trial call: generated, never dialed, never charged. */
  readonly synthetic: boolean;
  /** Capabilities that a worker needs to conduct it. */
  readonly needs: readonly string[];
  /** IANA: where the callee is, if the caller knew; null: read from the number. */
  readonly calleeZone: string | null;
  /** The provider of the platform's number; null for none. */
  readonly carrier: string | null;
  /** Null except for the simulator. */
  readonly simulatorPace: SimulatorPace | null;
  /** The simulated components of the call. */
  readonly componentsSimulated: readonly string[];
  /** JSON: a list of the class CallProblem. */
  readonly problems: string;
  /** JSON, a list of CallTransferEntry. */
  readonly transfers: string;
  /** When a cancellation was requested while the call was being dialed or live. */
  readonly cancelRequestedAt: Date | null;
  /** When its personal data was erased; the remaining row is the accounting record. Null: not erased. */
  readonly erasedAt: Date | null;
  /** The number of events of this call so far. */
  readonly resourceSeq: number;
  readonly endedReason: string | null;
  readonly reasonDetail: string | null;
  readonly policy: PolicyDecision;
  readonly classification: string | null;
  readonly classificationDetail: string | null;
  /** JSON of AnswerDetectionModes: the settings at the time of dialing. Null before dialing, and for incoming calls. */
  readonly answerDetection: string | null;
  readonly mailboxProof: MailboxProof | null;
  readonly proofWithdrawnBy: string | null;
  /** JSON of the class NavigationTimes; null if the call did not navigate a menu. */
  readonly navigation: string | null;
  /** JSON object as it was sent. */
  readonly variables: string;
  readonly metadata: string;
  readonly createdAt: Date;
  readonly scheduledAt: Date | null;
  readonly queuedAt: Date | null;
  readonly dialingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly mediaStartedAt: Date | null;
  readonly endedAt: Date | null;
  readonly completedAt: Date | null;
  readonly failedAt: Date | null;
  readonly canceledAt: Date | null;
  /** When the last event happened. */
  readonly updatedAt: Date;
  readonly durationSeconds: number | null;
  /** Micro-USD. */
  readonly costMicros: number;
  /** Micro-USD reserved for the call until it is over; null for none. */
  readonly holdMicros: number | null;
  /** YYYY-MM-DD: the day to whose spend the reservation is counted. */
  readonly holdDay: string | null;
}
