import { bundleCatalogue } from '@parley/contract';
import { forbidden } from '@parley/errors';
import type { Caller, GrpcService } from '@parley/runtime';
import {
  checkAddress,
  handlerGroup,
  publicService,
  requireContentScope,
  requireOperator,
  tenantOf,
  type PublicResult,
} from '@parley/service';
import {
  componentCredentialView,
  createComponentCredential,
  deleteComponentCredential,
  getComponentCredential,
  listComponentCredentials,
  replaceComponentSecret,
  listProviderModels,
  testComponentCredential,
} from './credentials';
import {
  apiKeyView,
  createSession,
  endSession,
  gatewayTokenView,
  getGatewayToken,
  getKey,
  getOperatorKey,
  listGatewayTokens,
  listKeys,
  listOperatorKeys,
  mintedApiKeyView,
  mintedGatewayTokenView,
  mintGatewayToken,
  mintKey,
  revokeGatewayToken,
  revokeKey,
  type Dependencies,
} from './keys';
import { getMaintenance, maintenanceOf, maintenanceView, setMaintenance } from './control-state';
import {
  createOrganization,
  createProject,
  getOrganization,
  getProject,
  listOrganizations,
  listProjects,
  organizationView,
  projectView,
  setStatusOfOrganization,
  updateOrganization,
} from './organizations';
import { listAuditLog } from './audit';
import { readMe } from './me';
import {
  createVerification,
  listVerifications,
  readVerification,
  verificationView,
  type VerificationParts,
} from './verifications';

/** The public routes of this service. */
export const authPublicService = (
  deps: Dependencies & VerificationParts,
  options: { readonly insecureUrls?: boolean } = {},
): GrpcService =>
  publicService(
    'auth',
    {
      ...keyHandlers(deps),
      ...credentialHandlers(deps),
      ...organizationHandlers(deps),
      ...verificationHandlers(deps),
    },
    options,
  );

const group = handlerGroup<'auth'>();

/** Created once: the catalogue of scopes changes only with a release, never while a process runs. */
const scopeCatalogue: PublicResult = { body: JSON.stringify(bundleCatalogue()) };

function keyHandlers(deps: Dependencies) {
  return group({
    async mintApiKey(call) {
      const { caller, client, organizationId } = call;
      const { record, token, replayed } = await mintKey(deps, call.creating(), () => {
        const { name, scopes, expires_at: expiresAt, allowed_cidrs: cidrs, requests_per_minute: limit } = ownBody(call);
        const bounds = { expiresAt: expiresAt ?? '', allowedCidrs: cidrs ?? [], requestsPerMinute: limit ?? 0 };
        return { caller, client, organizationId, name, scopes, ...bounds };
      });
      return created(call, mintedApiKeyView(record, token), replayed);
    },
    listApiKeys: async (call) => ({ body: await listKeys(deps.db, call.namedOrganizationId, call.query) }),
    getApiKey: async (call) => ({
      body: apiKeyView(await getKey(deps.db, call.namedOrganizationId, call.params.key_id)),
    }),
    getMe: async ({ caller }) => ({ body: await readMe(deps.db, caller) }),
    async createSession(call) {
      const { caller, client } = call;
      const request = call.creating(caller.organizationId);
      const { record, token, replayed } = await createSession(deps, request, { caller, client });
      return { body: mintedApiKeyView(record, token), replayed };
    },
    endSession: async ({ caller, client }) => ({ body: apiKeyView(await endSession(deps.db, { caller, client })) }),
    listScopes: async () => scopeCatalogue,
    async listOperatorKeys({ caller, query }) {
      requireOperator(caller);
      return { body: await listOperatorKeys(deps.db, query) };
    },
    async getOperatorKey({ caller, params }) {
      requireOperator(caller);
      return { body: apiKeyView(await getOperatorKey(deps.db, params.operator_key_id)) };
    },
    async revokeApiKey({ caller, client, organizationId, params, query }) {
      const command = { caller, client, organizationId, keyId: params.key_id, cascade: query.cascade === 'true' };
      return { body: apiKeyView(await revokeKey(deps.db, command)) };
    },

    async mintGatewayToken(call) {
      const { caller, client, organizationId } = call;
      const { record, token, replayed } = await mintGatewayToken(deps, call.creating(), () => {
        const { deployment_name: deploymentName, expires_at: expiresAt } = ownBody(call);
        return { caller, client, organizationId, deploymentName, expiresAt: expiresAt ?? '' };
      });
      return created(call, mintedGatewayTokenView(record, token), replayed);
    },
    listGatewayTokens: async (call) => ({
      body: await listGatewayTokens(deps.db, call.namedOrganizationId, call.query),
    }),
    getGatewayToken: async (call) => ({
      body: gatewayTokenView(await getGatewayToken(deps.db, call.namedOrganizationId, call.params.gateway_token_id)),
    }),
    async revokeGatewayToken({ caller, client, organizationId, params }) {
      const command = { caller, client, organizationId, keyId: params.gateway_token_id };
      return { body: gatewayTokenView(await revokeGatewayToken(deps.db, command)) };
    },
  });
}

function credentialHandlers(deps: Dependencies) {
  return group({
    async createComponentCredential(call) {
      const { caller, client, organizationId } = call;
      const { record, replayed } = await createComponentCredential(deps, call.creating(), () => {
        const { kind, provider, name, secret = '', base_url: baseUrl = '', standby = false } = ownBody(call);
        if (baseUrl !== '' || standby) requireContentScope(caller);
        if (baseUrl !== '') checkAddress(baseUrl, 'http', 'base_url', deps.policy);
        return { caller, client, organizationId, kind, provider, name, secret, baseUrl, standby };
      });
      return created(call, componentCredentialView(record), replayed);
    },
    async replaceComponentCredential(call) {
      const { caller, client, organizationId, params } = call;
      const command = { caller, client, organizationId, credentialId: params.component_credential_id };
      return { body: componentCredentialView(await replaceComponentSecret(deps, command, () => call.body())) };
    },
    async deleteComponentCredential({ caller, client, organizationId, params }) {
      const command = { caller, client, organizationId, credentialId: params.component_credential_id };
      return { body: componentCredentialView(await deleteComponentCredential(deps, command)) };
    },
    async testComponentCredential({ caller, client, organizationId, params }) {
      const command = { caller, client, organizationId, credentialId: params.component_credential_id };
      return { body: await testComponentCredential(deps, command) };
    },
    async listProviderModels({ caller, client, organizationId, params }) {
      const command = { caller, client, organizationId, credentialId: params.component_credential_id };
      return { body: await listProviderModels(deps, command) };
    },
    async getComponentCredential({ namedOrganizationId, params }) {
      const found = await getComponentCredential(deps.db, namedOrganizationId, params.component_credential_id);
      return { body: componentCredentialView(found) };
    },
    listComponentCredentials: async (call) => ({
      body: await listComponentCredentials(deps.db, call.namedOrganizationId, call.query),
    }),
  });
}

function organizationHandlers({ db }: Dependencies) {
  return group({
    async createOrganization(call) {
      const { caller, client } = call;
      requireOperator(caller);
      // The new organization has no id yet, so the Idempotency-Keys of all operators share one namespace.
      const { record, replayed } = await createOrganization(db, call.creating(''), () => {
        const { name, billing = 'unmetered' } = call.body();
        return { caller, client, name, billing };
      });
      return created(call, organizationView(record), replayed);
    },
    async listOrganizations({ caller, query }) {
      requireOperator(caller);
      return { body: await listOrganizations(db, query) };
    },
    async updateOrganization(call) {
      requireOperator(call.caller);
      const { caller, client } = call;
      const body = () => call.body();
      const actor = { caller, client };
      return { body: organizationView(await updateOrganization(db, actor, call.params.organization_id, body)) };
    },
    async suspendOrganization(call) {
      const { caller, client, params } = call;
      requireOperator(caller);
      const reason = () => call.body().reason;
      const actor = { caller, client };
      return {
        body: organizationView(await setStatusOfOrganization(db, actor, params.organization_id, 'suspended', reason)),
      };
    },
    async reinstateOrganization({ caller, client, params }) {
      requireOperator(caller);
      const actor = { caller, client };
      return { body: organizationView(await setStatusOfOrganization(db, actor, params.organization_id, 'active')) };
    },

    getOrganization: async (call) => ({
      body: organizationView(await getOrganization(db, organizationOfPath(call))),
    }),
    getProject: async (call) => ({
      body: projectView(await getProject(db, organizationOfPath(call), call.params.project_id)),
    }),

    async createProject(call) {
      const { caller, client } = call;
      const organizationId = organizationOfPath(call);
      const { record, replayed } = await createProject(db, call.creating(organizationId), organizationId, () => ({
        caller,
        client,
        name: call.body().name,
      }));
      return created(call, projectView(record), replayed);
    },
    listProjects: async (call) => ({ body: await listProjects(db, organizationOfPath(call), call.query) }),
    listAuditLog: async (call) => ({ body: await listAuditLog(db, organizationOfPath(call), call.query) }),
    async listPlatformAuditLog({ caller, query }) {
      requireOperator(caller);
      return { body: await listAuditLog(db, '', query) };
    },

    async getMaintenance({ caller }) {
      requireOperator(caller);
      const { maintenance, now } = await getMaintenance(db);
      return { body: maintenanceView(maintenance, now) };
    },
    async setMaintenance(call) {
      requireOperator(call.caller);
      const { maintenance, now } = await setMaintenance(db, call, maintenanceOf(call.body()));
      return { body: maintenanceView(maintenance, now) };
    },
  });
}

function verificationHandlers(parts: VerificationParts) {
  return group({
    async createVerification(call) {
      const { caller, client, organizationId } = call;
      const { record, replayed } = await createVerification(parts, call.creating(), () => ({
        ...{ caller, client, organizationId },
        kind: ownBody(call).kind,
      }));
      return created(call, verificationView(record), replayed);
    },
    listVerifications: async (call) => ({
      body: await listVerifications(parts.db, call.namedOrganizationId, call.query),
    }),
    getVerification: async (call) => ({
      body: verificationView(await readVerification(parts, call.namedOrganizationId, call.params.verification_id)),
    }),
  });
}

/** The organization in the path. The tenant guard checks it as it checks the organization that the request acts in. */
const organizationOfPath = ({
  caller,
  params,
}: {
  readonly caller: Caller;
  readonly params: { readonly organization_id: string };
}): string => tenantOf(caller, params.organization_id);

/** Returns the validated body. Its organization_id, if any, must be the organization that the request acts in. @throws AppError 400, 403 */
function ownBody<Body extends { readonly organization_id?: string }>(call: {
  readonly organizationId: string;
  readonly namedOrganizationId: string;
  body(): Body;
}): Body {
  const body = call.body();
  if ((body.organization_id ?? call.namedOrganizationId) !== call.organizationId) throw forbidden();
  return body;
}

/** The body of a replayed request is parsed only to find the names of ignored fields; errors are discarded. */
function created(call: { body(): object }, body: object, replayed: boolean): PublicResult {
  if (replayed) {
    try {
      call.body();
    } catch {
      // The stored response is returned even if the body no longer satisfies the current rules.
    }
  }
  return { body, replayed };
}
