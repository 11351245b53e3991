import { IsIn } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { Describe, Ignores, Nullable, Required } from '../rules/decorators';
import { idText, WorkspaceNames } from './fields';
import { pageOf } from './page';

/** The parts of a cascade that an organization may run on an account of its own. */
export const componentCredentialKinds = ['stt', 'llm', 'tts'] as const;
export type ComponentCredentialKind = (typeof componentCredentialKinds)[number];

/**
 * POST /v1/component-credentials (decisions section 3): what `component_credential_bindings` of the voice-stack save names.
 * `secret` is write-only: 1 to 8192 characters, shown by no answer.
 */
@Ignores('component_credential_id', 'created_by', 'created_at', 'replaced_at')
export class ComponentCredentialCreate {
  @Required() @Text(idText) organization_id!: string;
  @Required() @IsIn(componentCredentialKinds) kind!: ComponentCredentialKind;
  /** As the agent catalogue names it. */
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required() @Text(limits.componentSecret) secret!: string;
}

/** PATCH /v1/component-credentials/{component_credential_id}: the secret alone, which no read shows. */
@Ignores('component_credential_id', 'kind', 'provider', 'name', 'created_by', 'created_at', 'replaced_at')
export class ComponentCredentialUpdate extends WorkspaceNames {
  @Required() @Text(limits.componentSecret) secret!: string;
}

/** A stored credential; never its secret. */
export class ComponentCredentialRecord {
  @Required() @Text() component_credential_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(componentCredentialKinds) kind!: ComponentCredentialKind;
  @Required() @Text() provider!: string;
  @Required() @Text() name!: string;
  @Required() @Nullable() @Text() created_by!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() @Describe('Null: it is the first one.') replaced_at!: string | null;
}

export const ComponentCredentialPage = pageOf(ComponentCredentialRecord);
