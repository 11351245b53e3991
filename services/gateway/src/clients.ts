import type { AuthServiceServer } from '@parley/proto/auth';
import type { KnowledgeServiceServer } from '@parley/proto/knowledge';
import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { WebhooksServiceServer } from '@parley/proto/webhooks';
import type { GrpcClient } from '@parley/runtime';

/** Clients of the services behind the gateway, which has no state of its own. */
export interface Clients {
  readonly auth: GrpcClient<AuthServiceServer>;
  readonly knowledge: GrpcClient<KnowledgeServiceServer>;
  readonly telephony: GrpcClient<TelephonyServiceServer>;
  readonly webhooks: GrpcClient<WebhooksServiceServer>;
}
