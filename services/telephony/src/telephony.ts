import type { AgentsServiceServer } from '@parley/proto/agents';
import type { Clock, ControlStateMirror, Database, GrpcClient } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { AddressPolicy } from '@parley/service';
import type { CarrierLines, Carriers } from './carriers';
import type { KnowledgeBases } from './knowledge';
import type { Signals } from './live-control';
import type { RecordingStore } from './recordings';
import type { AdmissionSnapshots, AdmissionBatches, AskAgent } from './admission';
import type { MessageBatches } from './messages';
import type { ProviderAccounts, RuntimeConfigurations, WorkersFor } from './workers';

/** The SIP facilities of this installation. */
interface Sip {
  /** Restricts the addresses that peers of trunks may have. */
  readonly policy: AddressPolicy;
  /** Places calls over trunks; undefined: no Asterisk is configured. */
  readonly lines: CarrierLines | undefined;
  /** Encodes an announcement so that an engine, called by the dialplan, speaks it to the other party of a transfer; undefined: no engine can speak the text. */
  readonly announce: (text: string) => string | undefined;
}

/** Dependencies of the use cases. */
export interface Telephony {
  readonly db: Database;
  readonly agents: GrpcClient<AgentsServiceServer>;
  readonly controls: Controls;
  readonly admission: Admission;
  readonly vault: Vault;
  readonly workers: WorkersFor;
  /** The publications that contain the configuration of calls. */
  readonly publications: Pick<RuntimeConfigurations, 'loadFacts'>;
  /** Organizations' credentials at providers. */
  readonly accounts: ProviderAccounts;
  readonly carriers: Carriers;
  readonly sip: Sip;
  readonly knowledge: Pick<KnowledgeBases, 'ask'>;
  /** Wake-up signals to the other replicas of this service. */
  readonly signals: Signals;
  readonly recordings: RecordingStore;
  readonly settings: TelephonySettings;
  readonly clock: Pick<Clock, 'now'>;
  /** Must be called after a commit that appended events; `jobsWait` if it also enqueued a job. Never throws. */
  onCommit(jobsWait: boolean): void;
  /** Must be called for each authorized request of a worker, because it proves that workers can reach the platform. Never throws. */
  workerHeard(): void;
  /** Must be called after a commit that left work to do at a carrier. Never throws. */
  linesDue(): void;
  /** Must be called after a commit that left a message to be sent or translated. Never throws. */
  notifyMessageSender(): void;
  /** Must be called after a commit that left an erasure to be carried out. Never throws. */
  erasuresWait(): void;
  /** Must be called after a commit that left a recording to be converted, or parts of it to be deleted. Never throws. */
  recordingsWait(): void;
  /** Must be called for each part or file of a recording that could not be stored. Never throws. */
  partRefused(reason: 'full' | 'unavailable'): void;
}

/** State shared by concurrent admissions (ADR 0018). */
export interface Admission {
  readonly ask: AskAgent;
  readonly looks: AdmissionSnapshots;
  readonly batches: AdmissionBatches;
  /** One batcher per route, because idempotency keys are scoped by route. */
  readonly messageLooks: AdmissionSnapshots;
  readonly templateMessageLooks: AdmissionSnapshots;
  readonly workerMessageLooks: AdmissionSnapshots;
  readonly messages: MessageBatches;
  /** Creates an organization's counter row (`organization_controls`) if it is missing. */
  open(organizationId: string): Promise<void>;
}

/** The parts of the control state that admission and claims need. */
export type Controls = Pick<
  ControlStateMirror,
  | 'trusted'
  | 'refreshed'
  | 'isSuspendedAgent'
  | 'isSuspendedOrganization'
  | 'suspendedOrganizationIds'
  | 'suspendedAgentIds'
  | 'maintenance'
  | 'isRevoked'
  | 'knowsSince'
  | 'generation'
  | 'epoch'
>;

export interface TelephonySettings {
  readonly leaseSeconds: number;
  /** How long to wait for further parts of a recording once the call is over. */
  readonly recordingGraceSeconds: number;
  /** The format to which recordings are converted after their call. */
  readonly recordingFormat: 'ogg' | 'wav';
  /** Whether numbers of the simulator can be used. */
  readonly simulator: boolean;
  readonly translator: 'simulator' | 'deepl' | 'none';
  /** Maximum of queued calls in an organization that has no queue cap itself. */
  readonly queueCap: number;
  /** Signs the webhooks of the simulator; empty: all are rejected. */
  readonly simulatorWebhookToken: string;
  /** The Retry-After of outbound_call_queue_full. */
  readonly queueFullRetrySeconds: number;
  /** The media stream URL for incoming lines of carriers; undefined: not configured. */
  readonly mediaStreamUrl: string | undefined;
  /** The public address of the engines' media port; undefined: not configured. */
  readonly mediaPublicUrl: string | undefined;
  /** The public address of this platform for carriers; undefined: not configured. */
  readonly publicUrl: string | undefined;
  /** Maximum ringing time of a line. */
  readonly ringSeconds: number;
  /** Calls per second that may be placed through one account. */
  readonly accountCallsPerSecond: number;
  /** Calls per second that one organization may place over lines of carriers, over all its accounts. */
  readonly organizationCallsPerSecond: number;
  /** What the carrier says to a caller if no worker took the call in time. */
  readonly busyMessage: string;
}
