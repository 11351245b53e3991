import { recoveryStatuses, type RecoveryRecord } from '@parley/contract';
import type { Recovery } from '@parley/proto/webhooks';
import { orNull } from './absent';
import { oneOf } from './one-of';

export const recoveryRecord = (recovery: Recovery): RecoveryRecord => ({
  recovery_id: recovery.recoveryId,
  agent_endpoint_id: recovery.agentEndpointId,
  since: recovery.since,
  status: oneOf(recoveryStatuses, recovery.status),
  examined: Number(recovery.examined),
  recovered: Number(recovery.recovered),
  created_at: recovery.createdAt,
  finished_at: orNull(recovery.finishedAt),
});
