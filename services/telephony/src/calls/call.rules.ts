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

/** What outbound policy said about a call; `rules` are the ids of the rules that decided. */
export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  readonly rules: readonly string[];
  /** JSON of PolicyNotes: plain reasons, and what rules in shadow would have done. Null for nothing. */
  readonly notes?: string | null;
}

/** What a call runs on: pinned at admission, untouched by any later save of the agent. */
export interface PinnedConfiguration {
  /** hosted | external_audio | external_text. */
  readonly mode: string;
  /** 0 when the agent never published and was compiled for this call. */
  readonly publicationVersion: number;
  readonly publicationSha256: string;
  /** JSON of the class CallTuning. */
  readonly tuning: string;
  readonly language: string;
  readonly recordingEnabled: boolean;
  readonly costMicrosPerMinute: number;
}

/** A call as it is stored. Timestamps are null until the step is reached. */
export interface Call extends PinnedConfiguration {
  readonly callId: string;
  readonly organizationId: string;
  /** Both empty where an incoming call belongs to no organization. */
  readonly projectId: string;
  readonly agentId: string;
  readonly direction: CallDirection;
  readonly channel: CallChannel;
  /** Both numbers are empty where the channel has none. */
  readonly from: string;
  readonly to: string;
  readonly status: CallStatus;
  /** A trial call: made up, never dialled, never charged. */
  readonly synthetic: boolean;
  /** What a worker must be able to do to conduct it. */
  readonly needs: readonly string[];
  /** The provider of the platform's number; null for none. */
  readonly carrier: string | null;
  /** Null for every carrier but the simulator. */
  readonly simulatorPace: SimulatorPace | null;
  /** Which parts of it were simulated. */
  readonly componentsSimulated: readonly string[];
  /** JSON: a list of the class CallProblem. */
  readonly problems: string;
  /** JSON, a list of CallTransferEntry. */
  readonly transfers: string;
  /** When its end was asked for while it was dialled or talked. */
  readonly cancelRequestedAt: Date | null;
  /** When it was erased: it is the account of a call then. Null: it was not. */
  readonly erasedAt: Date | null;
  /** Counts the events of this call. */
  readonly resourceSeq: number;
  readonly endedReason: string | null;
  readonly reasonDetail: string | null;
  readonly policy: PolicyDecision;
  readonly classification: string | null;
  readonly classificationDetail: string | null;
  /** JSON of AnswerDetectionModes: how it was set when the call was dialled. Null before, and for incoming calls. */
  readonly answerDetection: string | null;
  readonly mailboxProof: MailboxProof | null;
  /** JSON of the class NavigationTimes; null where the call did not navigate. */
  readonly navigation: string | null;
  /** JSON objects as they were sent. */
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
  /** Micro-USD held for the call until it is over; null for nothing. */
  readonly holdMicros: number | null;
  /** YYYY-MM-DD: the day in whose spend the hold counts. */
  readonly holdDay: string | null;
}
