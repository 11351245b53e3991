import { ComponentCredentialCreate, GatewayTokenCreate, validate } from '@parley/contract';
import { creatingRequest } from '@parley/service';
import {
  ComponentCredentialResponse,
  FindComponentCredentialsResponse,
  GatewayToken,
  ListComponentCredentialsResponse,
  ListGatewayTokensResponse,
  MintGatewayTokenResponse,
  type AuthServiceServer,
} from '@parley/proto/auth';
import type { UnaryHandlers } from '@parley/runtime';
import type { KeyRecord } from '../domain/records';
import { createComponentCredential } from '../usecases/create-component-credential';
import type { Dependencies } from '../usecases/dependencies';
import { findComponentCredentials } from '../usecases/find-component-credentials';
import { listComponentCredentials } from '../usecases/list-component-credentials';
import { listGatewayTokens } from '../usecases/list-gateway-tokens';
import { mintGatewayToken } from '../usecases/mint-gateway-token';
import { revokeGatewayToken } from '../usecases/revoke-gateway-token';
import { callerOf, organizationFor } from './caller';

type CredentialHandlers = Pick<
  UnaryHandlers<AuthServiceServer>,
  | 'mintGatewayToken'
  | 'listGatewayTokens'
  | 'revokeGatewayToken'
  | 'createComponentCredential'
  | 'listComponentCredentials'
  | 'findComponentCredentials'
>;

/** Handlers of gateway tokens and of provider credentials. */
export function credentialHandlers(deps: Dependencies): CredentialHandlers {
  return {
    async mintGatewayToken(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      const creation = creatingRequest(organizationId, request.idempotency);
      const minted = await mintGatewayToken(deps, creation, () => {
        const { value } = validate(GatewayTokenCreate, {
          ...(organizationId === '' ? {} : { organization_id: organizationId }),
          deployment_name: request.deploymentName,
          ...(request.expiresAt === '' ? {} : { expires_at: request.expiresAt }),
        });
        return { caller, organizationId, deploymentName: value.deployment_name, expiresAt: value.expires_at ?? '' };
      });
      return MintGatewayTokenResponse.fromPartial({
        gatewayToken: gatewayTokenOf(minted.record),
        token: minted.token,
        replayed: minted.replayed,
      });
    },

    async listGatewayTokens(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const { items, nextCursor } = await listGatewayTokens(deps.db, organizationId, request.page);
      return ListGatewayTokensResponse.fromPartial({ gatewayTokens: items.map(gatewayTokenOf), nextCursor });
    },

    async revokeGatewayToken(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      const keyId = request.gatewayTokenId;
      return gatewayTokenOf(await revokeGatewayToken(deps.db, { caller, organizationId, keyId }));
    },

    async createComponentCredential(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      const creation = creatingRequest(organizationId, request.idempotency);
      const { record, replayed } = await createComponentCredential(deps, creation, () => {
        const { kind, provider, name, secret } = request;
        const named = organizationId === '' ? {} : { organization_id: organizationId };
        const { value } = validate(ComponentCredentialCreate, { ...named, kind, provider, name, secret });
        return { ...value, caller, organizationId };
      });
      return ComponentCredentialResponse.fromPartial({ componentCredential: record, replayed });
    },

    async listComponentCredentials(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const { items, nextCursor } = await listComponentCredentials(deps.db, organizationId, request.page);
      return ListComponentCredentialsResponse.fromPartial({ componentCredentials: items, nextCursor });
    },

    async findComponentCredentials(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const found = await findComponentCredentials(deps.db, organizationId, request.componentCredentialIds);
      return FindComponentCredentialsResponse.fromPartial({ componentCredentials: found });
    },
  };
}

const gatewayTokenOf = ({ keyId, name, scopes: _fixed, ...record }: KeyRecord): GatewayToken =>
  GatewayToken.fromPartial({ ...record, gatewayTokenId: keyId, deploymentName: name });
