import type { AgentVoiceStackUpdate, ComponentCredentialBindings } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';

type Kind = keyof ComponentCredentialBindings;

/** The component that uses a credential of a kind. */
const componentOf = { stt: 'transcriber', llm: 'model', tts: 'voice' } as const satisfies Record<
  Kind,
  keyof AgentDocument
>;
const kinds = Object.keys(componentOf) as readonly Kind[];

/** The providers that an agent without a selection uses: the defaults of the catalogue. */
export type DefaultProviders = Readonly<Record<(typeof componentOf)[Kind], string>>;

/** A credential that a change uses, and the provider that it must belong to. */
export interface NeededCredential {
  readonly kind: Kind;
  readonly credentialId: string;
  readonly provider: string;
}

/** A credential of the agent's organization as auth returns it. */
export interface KnownCredential {
  readonly credentialId: string;
  readonly kind: string;
  readonly provider: string;
  /** The test result of the current secret; undefined: unknown. */
  readonly tested?: 'never' | 'failed' | 'ok' | undefined;
  /** Whether it names an address in place of the provider's public one. */
  readonly ownAddress?: boolean | undefined;
}

type Sent = Pick<AgentVoiceStackUpdate, 'transcriber' | 'model' | 'voice' | 'component_credential_bindings'>;

/** Returns the bindings that a change sends or whose component gets another provider. Unchanged ones are not validated again. */
export function neededCredentials(
  stored: AgentDocument,
  sent: Sent,
  defaults: DefaultProviders,
): readonly NeededCredential[] {
  return kinds.flatMap((kind) => {
    const before = stored.component_credential_bindings[kind];
    const named = sent.component_credential_bindings?.[kind];
    const credentialId = named === undefined ? before : named;
    if (typeof credentialId !== 'string') return [];
    const component = componentOf[kind];
    const providerOf = (choice: Sent[typeof component]): string =>
      typeof choice === 'object' && choice !== null ? choice.provider : defaults[component];
    const choice = sent[component];
    const provider = providerOf(choice === undefined ? stored[component] : choice);
    if (credentialId === before && provider === providerOf(stored[component])) return [];
    return [{ kind, credentialId, provider }];
  });
}

/**
 * A credential must belong to the organization, its kind must be that of the binding, and its provider that of the component. @throws BadRequestError naming
 * the field
 */
export function checkCredentials(needed: readonly NeededCredential[], known: readonly KnownCredential[]): void {
  for (const { kind, credentialId, provider } of needed) {
    const field = `component_credential_bindings.${kind}`;
    const found = known.find((credential) => credential.credentialId === credentialId);
    if (found === undefined) throw badRequest(`${field} is not a credential of this organization`);
    if (found.kind !== kind) throw badRequest(`${field} is a credential of the kind ${found.kind}`);
    if (found.provider !== provider)
      throw badRequest(
        `${field} is a credential of ${found.provider}, but the provider of the ${componentOf[kind]} is ${provider}`,
      );
  }
}

/** The credentials that an agent has bound. */
export function boundCredentials({
  component_credential_bindings: bindings,
}: Pick<AgentDocument, 'component_credential_bindings'>): readonly string[] {
  return kinds.map((kind) => bindings[kind]).filter((credentialId) => typeof credentialId === 'string');
}

/** The providers of the bound credentials by kind. A credential whose kind differs from its binding is omitted. */
export function credentialProviders(
  { component_credential_bindings: bindings }: AgentDocument,
  known: readonly KnownCredential[],
): Partial<Record<Kind, string>> {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const found = known.find((credential) => credential.kind === kind && credential.credentialId === bindings[kind]);
      return found === undefined ? [] : [[kind, found.provider]];
    }),
  );
}

/** The bound credentials by kind. */
export const boundBy = (bindings: ComponentCredentialBindings): Partial<Record<Kind, string>> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const credentialId = bindings[kind];
      return typeof credentialId === 'string' ? [[kind, credentialId] as const] : [];
    }),
  );

/** `code: text` for each bound credential of which it is not known that its provider accepts it. */
export function credentialWarnings(
  { component_credential_bindings: bindings }: Pick<AgentDocument, 'component_credential_bindings'>,
  known: readonly KnownCredential[],
): string[] {
  return kinds.flatMap((kind) => {
    const tested = known.find(({ credentialId }) => credentialId === bindings[kind])?.tested;
    if (tested === 'never') return [`credential_untested: the ${kind} credential was not tested`];
    return tested === 'failed' ? [`credential_failed: the last test of the ${kind} credential failed`] : [];
  });
}

/** Whether any component of the agent uses a provider that requires an account. */
export function needsAccounts({ transcriber, model, voice, language_profiles: profiles }: AgentDocument): boolean {
  const selections = [
    transcriber,
    model,
    voice,
    ...profiles.flatMap((profile) => [profile.transcriber, profile.voice]),
  ];
  return selections.some((selection) => typeof selection === 'object' && selection.provider !== 'simulator');
}

/** The ids of standby credentials, by kind and provider. */
export const standbyByKind = (
  standby: readonly KnownCredential[],
): Partial<Record<Kind, Readonly<Record<string, string>>>> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const found = standby.filter((credential) => credential.kind === kind);
      if (found.length === 0) return [];
      return [[kind, Object.fromEntries(found.map(({ provider, credentialId }) => [provider, credentialId]))] as const];
    }),
  );
