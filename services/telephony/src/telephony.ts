import type { KnowledgeAnswer, NeededAccount, Publication, PublicationFacts } from '@parley/contract';
import type { AgentsServiceServer } from '@parley/proto/agents';
import type { LeasedComponentCredential } from '@parley/proto/auth';
import type { PlatformCredential } from '@parley/proto/voice_stack';
import type { CallContext, Clock, ControlStateMirror, Database, GrpcClient, OutgoingContext } from '@parley/runtime';
import type { Vault } from '@parley/vault';

/** Dependencies of the use cases. */
export interface Telephony {
  readonly db: Database;
  readonly agents: GrpcClient<AgentsServiceServer>;
  readonly controls: Controls;
  readonly vault: Vault;
  readonly workers: WorkersFor;
  /** The publications that contain the configuration of calls. */
  readonly publications: Publications;
  /** Organizations' credentials at providers. */
  readonly accounts: ProviderAccounts;
  readonly knowledge: Knowledge;
  /** Wake-up signals to the other replicas of this service. */
  readonly signals: Signals;
  readonly recordings: RecordingStore;
  readonly settings: TelephonySettings;
  readonly clock: Pick<Clock, 'now'>;
  /** Creates an organization's counter row (`organization_controls`) if it is missing. */
  openOrganization(organizationId: string): Promise<void>;
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

/** The capabilities that workers declare. `workersOf`: an organization, or empty for the hosted workers. */
interface WorkersFor {
  /** Records the capabilities of a claiming worker. @returns the digest of the declaration */
  declare(organizationId: string, kinds: readonly string[], capabilities: readonly string[]): Promise<string>;
  /** The declarations of the last seven days. A cached list is returned if it is `enough`. */
  declared(
    workersOf: string,
    enough: (declared: readonly (readonly string[])[]) => boolean,
  ): Promise<readonly (readonly string[])[]>;
  /** The declarations of the workers that are present now. */
  present(workersOf: string): Promise<readonly (readonly string[])[]>;
}

/** Adds the model, which determines the capabilities that a worker needs, and the languages in which a call may be placed. */
export type StoredFacts = PublicationFacts & Pick<Publication, 'model' | 'languages'>;

interface Publications {
  /** The engine, languages and components of a publication. @throws NotFoundError if it no longer exists */
  loadFacts(organizationId: string, sha256: string, context: OutgoingContext): Promise<StoredFacts>;
}

/** Reads credentials at providers, which other services store. */
export interface ProviderAccounts {
  /**
   * The organization's credentials with these ids, and one standby credential for each of the accounts in `standby`. The audit log records the caller and the
   * call.
   */
  own(
    organizationId: string,
    wanted: { readonly ids: readonly string[]; readonly standby: readonly NeededAccount[] },
    callId: string,
    context: CallContext,
  ): Promise<readonly LeasedComponentCredential[]>;
  /** The installation's own credentials at these providers. */
  installed(providers: readonly string[], context: CallContext): Promise<readonly PlatformCredential[]>;
}

export interface Question {
  readonly organizationId: string;
  readonly knowledgeBaseIds: readonly string[];
  readonly text: string;
  readonly limit: number;
}

interface Knowledge {
  ask(question: Question, context: OutgoingContext): Promise<KnowledgeAnswer>;
}

export type SignalTopic = 'worker' | 'command' | 'transfer' | 'call';

/** Signals between replicas of this service, about a worker, a command or a call. */
export interface Signals {
  /** Notifies listeners in this process at once, and those of other replicas over NATS. `payload`: one line of text. Never throws. */
  send(topic: SignalTopic, id: string, payload?: string): void;
  /** @returns the function that removes the listener */
  on(topic: SignalTopic, id: string, listener: (payload: string) => void): () => void;
}

/** Storage for recordings: parts of at most 1 MiB, and files. */
export interface RecordingStore {
  /** Can be repeated with the same bytes. @throws RecordingStoreFull */
  put(key: string, content: Buffer): Promise<void>;
  /**
   * Writes an object once, by a single writer. If the write fails or the process dies, `delete` removes the partial data.
   * @throws RecordingStoreFull
   */
  putOnce(key: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /** The bytes from `from` (inclusive) to `to` (exclusive). @throws RecordingObjectUnreadable */
  read(key: string, from: number, to: number): Promise<Buffer>;
  /** A missing object counts as deleted. */
  delete(key: string): Promise<void>;
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
  /** Hosts of SIP addresses to which every organization may transfer calls, in lower case. */
  readonly transferHosts: ReadonlySet<string>;
  /** Maximum ringing time of a line. */
  readonly ringSeconds: number;
  /** Calls per second that may be placed through one account. */
  readonly accountCallsPerSecond: number;
  /** Calls per second that one organization may place over lines of carriers, over all its accounts. */
  readonly organizationCallsPerSecond: number;
  /** What the carrier says to a caller if no worker took the call in time. */
  readonly busyMessage: string;
}
