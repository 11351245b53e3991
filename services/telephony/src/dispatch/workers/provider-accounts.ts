import type { AuthServiceServer } from '@parley/proto/auth';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { serviceCaller, type GrpcClient } from '@parley/runtime';
import type { ProviderAccounts } from '../../telephony';

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
