import {
  AuthServiceService,
  ControlState,
  FindComponentCredentialsResponse,
  LeaseComponentCredentialsResponse,
  OpenComponentCredentialResponse,
  ListBillingChangesResponse,
  RecordKeyUsageResponse,
  OrganizationResponse,
  Principal,
  ResolveProjectResponse,
  VerifyTokensResponse,
  type AuthServiceServer,
  type RecordKeyUsageRequest,
} from '@parley/proto/auth';
import { unauthorized } from '@parley/errors';
import { documentOf, grpcService, type GrpcService } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import { verifyToken, verifyTokens, type Dependencies, type LastUsed, type VerifiedKey } from './keys';
import {
  findComponentCredentials,
  leaseComponentCredentials,
  openComponentCredential,
  standbyCredentials,
  testedOf,
  type ComponentCredentialRecord,
} from './credentials';
import { putVerificationDocument, verificationView, type VerificationParts } from './verifications';
import { getControlState } from './control-state';
import { getOrganization, listBillingChanges, resolveProject } from './organizations';

/**
 * The typed RPCs for other services. Requests for component credentials name the caller on whose behalf they are made. Services send the other requests in
 * their own name, some of them before a caller has been identified, so these name no caller.
 */
export function authService(deps: Dependencies & VerificationParts, used: Pick<LastUsed, 'touch'>): GrpcService {
  const { db } = deps;
  const recordKeyUsage = async (request: RecordKeyUsageRequest): Promise<RecordKeyUsageResponse> => {
    request.keyIds.forEach((keyId, index) => used.touch(keyId, request.addresses[index]));
    return RecordKeyUsageResponse.fromPartial({});
  };
  return grpcService<AuthServiceServer>(AuthServiceService, {
    async verifyToken(request) {
      const key = await verifyToken(deps, request.token);
      used.touch(key.keyId);
      return principalOf(key);
    },

    async verifyTokens(request) {
      const keys = await verifyTokens(deps, request.tokens);
      keys.forEach((key) => key && used.touch(key.keyId));
      return VerifyTokensResponse.fromPartial({
        verifications: keys.map((key) => (key === undefined ? {} : { principal: principalOf(key) })),
      });
    },

    recordKeyUsage,

    noteKeysUsed: recordKeyUsage,

    async getControlState(request) {
      return ControlState.fromPartial(await getControlState(db, request.sinceEpoch));
    },

    async resolveProject(request) {
      return ResolveProjectResponse.fromPartial({ organizationId: await resolveProject(db, request.projectId) });
    },

    async getOrganization(request) {
      const { suspension: _operators, ...organization } = await getOrganization(db, request.organizationId);
      return OrganizationResponse.fromPartial({ organization });
    },

    async listBillingChanges(request) {
      const { changes, ...rest } = await listBillingChanges(db, request.sinceEpoch);
      return ListBillingChangesResponse.fromPartial({ ...rest, changes: [...changes] });
    },

    async findComponentCredentials(request, { caller }) {
      const organizationId = tenantOf(caller, request.organizationId);
      const found = await findComponentCredentials(db, organizationId, request.componentCredentialIds);
      const standby = request.standby ? await standbyCredentials(db, organizationId) : [];
      return FindComponentCredentialsResponse.fromPartial({
        componentCredentials: found.map(credentialOf),
        standby: standby.map(credentialOf),
      });
    },

    async leaseComponentCredentials(request, { caller, client }) {
      if (caller === undefined) throw unauthorized();
      const { organizationId, componentCredentialIds: ids, standby, callId } = request;
      const opened = await leaseComponentCredentials(deps, { caller, client, organizationId, ids, standby, callId });
      return LeaseComponentCredentialsResponse.fromPartial({ componentCredentials: opened });
    },

    async putVerificationDocument(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const content = Buffer.from(request.content);
      const put = { ...request, organizationId, content, actor: context };
      const verification = verificationView(await putVerificationDocument(deps, put));
      return { document: documentOf('VerificationRecord', JSON.stringify(verification)) };
    },

    async openComponentCredential(request, { caller, client }) {
      const organizationId = tenantOf(caller, request.organizationId);
      if (caller === undefined) throw unauthorized();
      const opened = await openComponentCredential(deps, { ...request, caller, client, organizationId });
      return OpenComponentCredentialResponse.fromPartial({ componentCredential: opened });
    },
  });
}

const credentialOf = (credential: ComponentCredentialRecord) => ({
  componentCredentialId: credential.componentCredentialId,
  organizationId: credential.organizationId,
  kind: credential.kind,
  provider: credential.provider,
  name: credential.name,
  createdBy: credential.createdBy,
  createdAt: credential.createdAt,
  tested: testedOf(credential),
  ownAddress: credential.baseUrl !== '',
});

const principalOf = (key: VerifiedKey): Principal =>
  Principal.fromPartial({ ...key, expiresAtMs: String(key.expiresAtMs) });
