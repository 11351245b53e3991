import { bundleCatalogue } from '@parley/contract';
import { forbidden } from '@parley/errors';
import type { Caller, GrpcService } from '@parley/runtime';
import { publicService, requireOperator, tenantOf, type PublicHandlers, type PublicResult } from '@parley/service';
import { componentCredentialView } from './domain/component-credential-views';
import { apiKeyView, gatewayTokenView, mintedApiKeyView, mintedGatewayTokenView } from './domain/key-views';
import { maintenanceOf } from './domain/maintenance';
import { maintenanceView } from './domain/maintenance-views';
import { organizationView, projectView } from './domain/organization-views';
import { createComponentCredential } from './usecases/create-component-credential';
import { createOrganization } from './usecases/create-organization';
import { createProject } from './usecases/create-project';
import type { Dependencies } from './usecases/dependencies';
import { getMaintenance } from './usecases/get-maintenance';
import { listAuditLog } from './usecases/list-audit-log';
import { listComponentCredentials } from './usecases/list-component-credentials';
import { listGatewayTokens } from './usecases/list-gateway-tokens';
import { listKeys } from './usecases/list-keys';
import { listOrganizations } from './usecases/list-organizations';
import { listProjects } from './usecases/list-projects';
import { mintGatewayToken } from './usecases/mint-gateway-token';
import { mintKey } from './usecases/mint-key';
import { revokeGatewayToken } from './usecases/revoke-gateway-token';
import { revokeKey } from './usecases/revoke-key';
import { setMaintenance } from './usecases/set-maintenance';
import { setStatusOfOrganization } from './usecases/set-organization-status';

/** The public routes of this service. */
export const authPublicService = (deps: Dependencies): GrpcService =>
  publicService('auth', { ...keyHandlers(deps), ...credentialHandlers(deps), ...organizationHandlers(deps) });

type Handlers = PublicHandlers<'auth'>;

/** The catalogue changes with a release, never while a process runs. */
const scopeCatalogue: PublicResult = { body: JSON.stringify(bundleCatalogue()) };

function keyHandlers(
  deps: Dependencies,
): Pick<
  Handlers,
  | 'mintApiKey'
  | 'listApiKeys'
  | 'listScopes'
  | 'revokeApiKey'
  | 'mintGatewayToken'
  | 'listGatewayTokens'
  | 'revokeGatewayToken'
> {
  return {
    async mintApiKey(call) {
      const { caller, organizationId } = call;
      const { record, token, replayed } = await mintKey(deps, call.creating(), () => {
        const { name, scopes, expires_at: expiresAt } = ownBody(call);
        return { caller, organizationId, name, scopes, expiresAt: expiresAt ?? '' };
      });
      return created(call, mintedApiKeyView(record, token), replayed);
    },
    listApiKeys: async (call) => ({ body: await listKeys(deps.db, call.namedOrganizationId, call.query) }),
    listScopes: async () => scopeCatalogue,
    async revokeApiKey({ caller, organizationId, params }) {
      return { body: apiKeyView(await revokeKey(deps.db, { caller, organizationId, keyId: params.key_id })) };
    },

    async mintGatewayToken(call) {
      const { caller, organizationId } = call;
      const { record, token, replayed } = await mintGatewayToken(deps, call.creating(), () => {
        const { deployment_name: deploymentName, expires_at: expiresAt } = ownBody(call);
        return { caller, organizationId, deploymentName, expiresAt: expiresAt ?? '' };
      });
      return created(call, mintedGatewayTokenView(record, token), replayed);
    },
    listGatewayTokens: async (call) => ({
      body: await listGatewayTokens(deps.db, call.namedOrganizationId, call.query),
    }),
    async revokeGatewayToken({ caller, organizationId, params }) {
      const command = { caller, organizationId, keyId: params.gateway_token_id };
      return { body: gatewayTokenView(await revokeGatewayToken(deps.db, command)) };
    },
  };
}

function credentialHandlers(
  deps: Dependencies,
): Pick<Handlers, 'createComponentCredential' | 'listComponentCredentials'> {
  return {
    async createComponentCredential(call) {
      const { caller, organizationId } = call;
      const { record, replayed } = await createComponentCredential(deps, call.creating(), () => {
        const { kind, provider, name, secret } = ownBody(call);
        return { caller, organizationId, kind, provider, name, secret };
      });
      return created(call, componentCredentialView(record), replayed);
    },
    listComponentCredentials: async (call) => ({
      body: await listComponentCredentials(deps.db, call.namedOrganizationId, call.query),
    }),
  };
}

function organizationHandlers({
  db,
}: Dependencies): Pick<
  Handlers,
  | 'createOrganization'
  | 'listOrganizations'
  | 'suspendOrganization'
  | 'reinstateOrganization'
  | 'createProject'
  | 'listProjects'
  | 'listAuditLog'
  | 'getMaintenance'
  | 'setMaintenance'
> {
  return {
    async createOrganization(call) {
      const { caller } = call;
      requireOperator(caller);
      // Of no organization yet: the Idempotency-Keys of all operators share one space.
      const { record, replayed } = await createOrganization(db, call.creating(''), () => {
        const { name, billing = 'unmetered' } = call.body();
        return { caller, name, billing };
      });
      return created(call, organizationView(record), replayed);
    },
    async listOrganizations({ caller, query }) {
      requireOperator(caller);
      return { body: await listOrganizations(db, query) };
    },
    async suspendOrganization({ caller, params }) {
      requireOperator(caller);
      return { body: organizationView(await setStatusOfOrganization(db, caller, params.organization_id, 'suspended')) };
    },
    async reinstateOrganization({ caller, params }) {
      requireOperator(caller);
      return { body: organizationView(await setStatusOfOrganization(db, caller, params.organization_id, 'active')) };
    },

    async createProject(call) {
      const { caller } = call;
      const organizationId = organizationOfPath(call);
      const { record, replayed } = await createProject(db, call.creating(organizationId), organizationId, () => ({
        caller,
        name: call.body().name,
      }));
      return created(call, projectView(record), replayed);
    },
    listProjects: async (call) => ({ body: await listProjects(db, organizationOfPath(call), call.query) }),
    listAuditLog: async (call) => ({ body: await listAuditLog(db, organizationOfPath(call), call.query) }),

    async getMaintenance({ caller }) {
      requireOperator(caller);
      return { body: maintenanceView(await getMaintenance(db)) };
    },
    async setMaintenance(call) {
      requireOperator(call.caller);
      return { body: maintenanceView(await setMaintenance(db, call.caller, maintenanceOf(call.body()))) };
    },
  };
}

/** The organization of the path, for which the tenant guard holds as for the one that the request acts in. */
const organizationOfPath = ({
  caller,
  params,
}: {
  readonly caller: Caller;
  readonly params: { readonly organization_id: string };
}): string => tenantOf(caller, params.organization_id);

/** The validated body of a record for an organization, which is the one that the request acts in. @throws AppError 400, 403 */
function ownBody<Body extends { readonly organization_id: string }>(call: {
  readonly organizationId: string;
  body(): Body;
}): Body {
  const body = call.body();
  if (body.organization_id !== call.organizationId) throw forbidden();
  return body;
}

/** A repeated request names its unknown fields as the first one did; its fields are not judged again. */
function created(call: { body(): object }, body: object, replayed: boolean): PublicResult {
  if (replayed) {
    try {
      call.body();
    } catch {
      // The earlier answer stands, whatever the rules are now.
    }
  }
  return { body, replayed };
}
