import {
  componentCredentialKinds,
  isWebhookTool,
  neededAccounts,
  type ComponentCredentialKind,
  type ComponentCredentialLease,
  type LeasedConnection,
  type LeasedCredential,
  type LeasedCredentials,
  type NeededAccount,
  type WorkerCredentials,
  type WorkerCredentialsRequest,
  type CallTuning,
} from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import type { GetCallSecretsResponse } from '@parley/proto/agents';
import type { LeasedComponentCredential } from '@parley/proto/auth';
import { isId, jsonOf, serviceCaller, type CallContext } from '@parley/runtime';
import { type Call, organizationOfCall, getCall, isOpen, lockLease, type LeaseInput } from '../../books';
import type { RuntimeConfigurations } from './runtime-configuration';
import type { Telephony } from '../../telephony';

type Opening = Pick<Telephony, 'db' | 'agents' | 'accounts' | 'publications'> & {
  readonly configurations: Pick<RuntimeConfigurations, 'toolHeaders'>;
};

/**
 * Decrypts all secrets needed to conduct the call of a lease: the component credentials bound by its publication (for hosted workers, the installation's own
 * if none is bound), the organization's standby credentials (ADR 95), signing secrets and headers of its webhook tools, and the connections that its tools
 * use. They are read in their current state, so that the next call uses rotated ones. No other function decrypts them.
 * @throws AppError NotFoundError; BadRequestError; ConflictError for a stale epoch, another worker's lease and a call that is over; internal_error 503
 */
export async function openWorkerCredentials(
  telephony: Opening,
  input: LeaseInput<WorkerCredentialsRequest>,
  context: CallContext,
): Promise<WorkerCredentials> {
  const { call } = await telephony.db.transaction((tx) => lockLease(tx, input));
  const { tools } = JSON.parse(call.tuning) as CallTuning;
  const connectionIds = tools.flatMap((tool) =>
    typeof tool === 'object' && tool.type === 'connection' ? [tool.connection_id] : [],
  );
  const secrets = await secretsOf(telephony, call, connectionIds, context);
  const components = await loadComponents(telephony, call, { secrets, platform: input.organizationId === '' }, context);
  const signing = new Map(secrets.tools.map(({ name, signingSecrets }) => [name, signingSecrets]));
  return {
    call_id: call.callId,
    components,
    tools: tools.filter(isWebhookTool).map((tool) => ({
      name: tool.name,
      signing_secrets: signing.get(tool.name) ?? [],
      headers: telephony.configurations.toolHeaders(call, tool),
    })),
    connections: secrets.connections.map((document) => jsonOf<LeasedConnection>(document)),
    external:
      secrets.external && call.mode !== 'hosted'
        ? { url: secrets.external.url, signing_secrets: secrets.external.signingSecrets }
        : null,
  };
}

/**
 * The component credentials bound by a call's publication, for a specialized principal of the call's organization.
 * @throws AppError NotFoundError for another organization's call; ConflictError for one that is over
 */
export async function leaseCallCredentials(
  telephony: Opening,
  {
    organizationId: named,
    fields,
  }: { readonly organizationId: string; readonly fields: () => ComponentCredentialLease },
  context: CallContext,
): Promise<LeasedCredentials> {
  const { call_id: callId } = fields();
  const organizationId = isId('call', callId) ? await organizationOfCall(telephony.db, named, callId) : '';
  if (organizationId === '') throw notFound('call');
  const call = await getCall(telephony.db, organizationId, callId);
  if (!isOpen(call.status) || call.publicationSha256 === '') throw conflict(`the call is ${call.status}`);
  const secrets = await secretsOf(telephony, call, [], context);
  return { call_id: callId, components: await loadComponents(telephony, call, { secrets, platform: false }, context) };
}

/** Requested on behalf of the platform, because a hosted worker's credential gives access to no organization. */
function secretsOf(
  { agents }: Pick<Opening, 'agents'>,
  { organizationId, agentId, publicationVersion }: Call,
  connectionIds: string[],
  context: CallContext,
): Promise<GetCallSecretsResponse> {
  const question = { organizationId, agentId, publicationVersion, connectionIds };
  return agents.getCallSecrets(question, { ...context, caller: serviceCaller });
}

interface Given {
  readonly secrets: GetCallSecretsResponse;
  /** Whether the installation's own accounts are used for providers at which the organization has none. */
  readonly platform: boolean;
}

async function loadComponents(
  { accounts, publications }: Opening,
  { organizationId, callId, publicationSha256 }: Call,
  { secrets, platform }: Given,
  context: CallContext,
): Promise<LeasedCredential[]> {
  const ids = componentCredentialKinds.flatMap((kind) => secrets.bindings[kind] ?? []);
  const needed = neededAccounts(await publications.loadFacts(organizationId, publicationSha256, context));
  const wanted = { ids, standby: needed };
  const opened = ids.length + needed.length === 0 ? [] : await accounts.own(organizationId, wanted, callId, context);
  const isBound = ({ kind, componentCredentialId }: (typeof opened)[number]): boolean =>
    secrets.bindings[kind] === componentCredentialId;
  const bound = opened.filter(isBound).map(leasedOf);
  // Standby credentials that are bound to another component kind are skipped.
  const standby = opened.filter((one) => !ids.includes(one.componentCredentialId)).map(leasedOf);
  if (!platform) return [...bound, ...standby];
  const lacking = needed.filter((account) => !bound.some(isOf(account)));
  if (lacking.length === 0) return [...bound, ...standby];
  const installed = await accounts.installed([...new Set(lacking.map(({ provider }) => provider))], context);
  const ours = lacking.flatMap(({ kind, provider }): LeasedCredential[] => {
    const account = installed.find((one) => one.provider === provider);
    if (account === undefined) return [];
    const { secret, baseUrl } = account;
    return [{ kind, provider, component_credential_id: null, secret: orNull(secret), base_url: orNull(baseUrl) }];
  });
  return [...bound, ...ours, ...standby];
}

const isOf =
  ({ kind, provider }: NeededAccount) =>
  (one: NeededAccount): boolean =>
    one.kind === kind && one.provider === provider;

const leasedOf = (one: LeasedComponentCredential): LeasedCredential => ({
  kind: one.kind as ComponentCredentialKind,
  provider: one.provider,
  component_credential_id: one.componentCredentialId,
  secret: orNull(one.secret),
  base_url: orNull(one.baseUrl),
});

const orNull = (text: string): string | null => (text === '' ? null : text);
