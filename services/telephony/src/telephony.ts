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

/** What the installation has of SIP. */
interface Sip {
  /** Where the peers of trunks may lie. */
  readonly policy: AddressPolicy;
  /** Calls over trunks; undefined: no Asterisk is configured. */
  readonly lines: CarrierLines | undefined;
  /** What the dialplan has an engine say to the other party of a transfer; undefined: no engine can say it. */
  readonly announce: (text: string) => string | undefined;
}

/** What the use cases work with. */
export interface Telephony {
  readonly db: Database;
  readonly agents: GrpcClient<AgentsServiceServer>;
  readonly controls: Controls;
  readonly admission: Admission;
  readonly vault: Vault;
  readonly workers: WorkersFor;
  /** What calls are conducted by. */
  readonly publications: Pick<RuntimeConfigurations, 'loadFacts'>;
  /** Keys at providers. */
  readonly accounts: ProviderAccounts;
  readonly carriers: Carriers;
  readonly sip: Sip;
  readonly knowledge: Pick<KnowledgeBases, 'ask'>;
  /** Hints to the other replicas of this service. */
  readonly signals: Signals;
  readonly recordings: RecordingStore;
  readonly settings: TelephonySettings;
  readonly clock: Pick<Clock, 'now'>;
  /** To be called after a commit that appended events; `jobsWait` when it also put a job into a queue. Never throws. */
  onCommit(jobsWait: boolean): void;
  /** To be called for each authorized request of a worker: the platform hears its workers. Never throws. */
  workerHeard(): void;
  /** To be called after a commit that left something to be asked of a carrier. Never throws. */
  linesDue(): void;
  /** To be called after a commit that left a message to be sent or translated. Never throws. */
  notifyMessageSender(): void;
  /** To be called after a commit that left something to be erased. Never throws. */
  erasuresWait(): void;
  /** To be called after a commit that left a recording to be made into a file, or something of it to be deleted. Never throws. */
  recordingsWait(): void;
  /** To be called for each part, and each file, of a recording that could not be stored. Never throws. */
  partRefused(reason: 'full' | 'unavailable'): void;
}

/** What admissions that wait at the same time share (ADR 0018). */
export interface Admission {
  readonly ask: AskAgent;
  readonly looks: AdmissionSnapshots;
  readonly batches: AdmissionBatches;
  /** Of one route each: keys are scoped by route. */
  readonly messageLooks: AdmissionSnapshots;
  readonly templateMessageLooks: AdmissionSnapshots;
  readonly workerMessageLooks: AdmissionSnapshots;
  readonly messages: MessageBatches;
  /** Makes sure of an organization's contended row. */
  open(organizationId: string): Promise<void>;
}

/** The part of the control state that admission and claims obey. */
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
  /** How long parts of a recording are waited for once the call is over. */
  readonly recordingGraceSeconds: number;
  /** What recordings are made into once their call is over. */
  readonly recordingFormat: 'ogg' | 'wav';
  /** Whether numbers of the simulator can be used. */
  readonly simulator: boolean;
  readonly translator: 'simulator' | 'deepl' | 'none';
  /** Calls that may wait at once in an organization without a cap of its own. */
  readonly queueCap: number;
  /** Signs the webhooks of the simulator; empty: none is believed. */
  readonly simulatorWebhookToken: string;
  /** The Retry-After of outbound_call_queue_full. */
  readonly queueFullRetrySeconds: number;
  /** Where a carrier connects the line of an incoming call; undefined: nowhere. */
  readonly mediaStreamUrl: string | undefined;
  /** Where engines take media connections; undefined: nowhere. */
  readonly mediaPublicUrl: string | undefined;
  /** Where carriers reach this platform; undefined: nowhere. */
  readonly publicUrl: string | undefined;
  /** How long a line rings at most. */
  readonly ringSeconds: number;
  /** Calls that may be placed through one account in a second. */
  readonly accountCallsPerSecond: number;
  /** Calls that one organization may place over lines of carriers in a second, whatever its accounts. */
  readonly organizationCallsPerSecond: number;
  /** What the carrier says to a caller whom no worker took in time. */
  readonly busyMessage: string;
}
