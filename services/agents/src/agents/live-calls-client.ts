import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';

/** Client of the service `telephony`. */
export class LiveCalls {
  constructor(private readonly client: GrpcClient<TelephonyServiceServer>) {}

  /** Whether an agent has calls that are scheduled, being dialed or in progress. */
  async of(organizationId: string, agentId: string, context: OutgoingContext): Promise<boolean> {
    return (await this.client.hasLiveCalls({ organizationId, agentId }, context)).live;
  }

  /** Ends the calls conducted by the agent's workflow draft. */
  async endOfDraft(organizationId: string, agentId: string, context: OutgoingContext): Promise<void> {
    await this.client.endDraftCalls({ organizationId, agentId }, context);
  }
}
