import { IsArray, IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Nullable, Required } from '../rules/decorators';
import type { Scope } from '../scopes';
import { keyKinds } from './api-key';
import { OrganizationRecord, ProjectRecord } from './organization';

/** Maximum of projects in the response of GET /v1/me. */
export const projectsOfMe = 100;

@DescribeObject('The key of this request, and what it reaches.')
export class Me {
  @Required() @Text() key_id!: string;
  @Required() @Text() name!: string;
  @Required()
  @IsIn(['customer', 'operator'])
  @Describe('Operators belong to no organization and may name any.')
  audience!: 'customer' | 'operator';
  @Required() @IsIn(keyKinds) @Describe('`session`: made by POST /v1/sessions.') kind!: (typeof keyKinds)[number];
  @Required() @Nullable() @Text() @Describe('The user of a session; null for keys.') subject!: string | null;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('What the key may do now; bundles are expanded.')
  scopes!: Scope[];
  @Required() @Nullable() @Text() expires_at!: string | null;
  @Required()
  @Nullable()
  @Nested(() => OrganizationRecord)
  @Describe('The organization of the key; null for operators.')
  organization!: OrganizationRecord | null;
  @Required()
  @ListOf(() => ProjectRecord)
  @Describe('The newest 100 projects of the organization; the others are listed on their own route.')
  projects!: ProjectRecord[];
}
