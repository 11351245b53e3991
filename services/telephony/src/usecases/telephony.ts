import type { AgentsServiceServer } from '@parley/proto/agents';
import type { ControlStateMirror, Database, GrpcClient } from '@parley/runtime';

/** What the use cases work with. */
export interface Telephony {
  readonly db: Database;
  readonly agents: GrpcClient<AgentsServiceServer>;
  readonly controls: Controls;
  readonly settings: TelephonySettings;
  /** To be called after a commit that appended events; `jobsWait` when it also put a job into a lane. Never throws. */
  committed(jobsWait: boolean): void;
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
>;

export interface TelephonySettings {
  readonly leaseSeconds: number;
  /** Calls that may wait at once in an organization without a cap of its own. */
  readonly queueCap: number;
  /** What outbound_call_queue_full tells the client. */
  readonly queueFullRetrySeconds: number;
}
