import type { NeededAccount } from '@parley/contract';
import type { AuthServiceServer, LeasedComponentCredential } from '@parley/proto/auth';
import type { PlatformCredential, VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { serviceCaller, type CallContext, type GrpcClient } from '@parley/runtime';

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

export const providerAccounts = (
  auth: Pick<GrpcClient<AuthServiceServer>, 'leaseComponentCredentials'>,
  voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPlatformCredentials'>,
): ProviderAccounts => ({
  async own(organizationId, { ids, standby }, callId, context) {
    const request = { organizationId, componentCredentialIds: [...ids], standby: [...standby], callId };
    return (await auth.leaseComponentCredentials(request, context)).componentCredentials;
  },
  async installed(providers, context) {
    const request = { providers: [...providers] };
    return (await voiceStack.getPlatformCredentials(request, { ...context, caller: serviceCaller })).credentials;
  },
});
