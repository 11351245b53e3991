import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';

/** What this service asks of telephony. */
export class LiveCalls {
  constructor(private readonly client: GrpcClient<TelephonyServiceServer>) {}

  /** Whether an agent has calls that are due, dialled or talking. */
  async of(organizationId: string, agentId: string, context: OutgoingContext): Promise<boolean> {
    return (await this.client.hasLiveCalls({ organizationId, agentId }, context)).live;
  }

  /** Ends the calls that the draft of the agent's workflow conducts. */
  async endOfDraft(organizationId: string, agentId: string, context: OutgoingContext): Promise<void> {
    await this.client.endDraftCalls({ organizationId, agentId }, context);
  }
}
