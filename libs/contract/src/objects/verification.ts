import { IsIn, IsInt, Min } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nullable, Optional, Required } from '../rules/decorators';
import { pageOf } from './page';

export const verificationKinds = ['individual', 'business'] as const;
export type VerificationKind = (typeof verificationKinds)[number];

export const verificationStatuses = ['pending', 'approved', 'rejected'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

export const verificationMediaTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type VerificationMediaType = (typeof verificationMediaTypes)[number];

@DescribeObject('POST /v1/verifications.')
export class VerificationCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @IsIn(verificationKinds) @Describe('Who is verified.') kind!: VerificationKind;
}

@DescribeObject('A document that was passed on; its content is not kept.')
export class VerificationDocument {
  @Required() @IsInt() @Min(1) n!: number;
  @Required() @IsIn(verificationMediaTypes) @Describe('Its media type.') media_type!: VerificationMediaType;
  @Required() @IsInt() @Min(1) @Describe('Size in bytes.') bytes!: number;
  @Required() @Text() @Describe('Over its bytes, in hex.') sha256!: string;
  @Required() @Nullable() @Text() @Describe('Null: not confirmed; send it again.') received_at!: string | null;
}

@DescribeObject('A check of the identity of an organization.')
export class VerificationRecord {
  @Required() @Text() verification_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(verificationKinds) @Describe('Who is verified.') kind!: VerificationKind;
  @Required() @IsIn(verificationStatuses) status!: VerificationStatus;
  @Required() @Nullable() @Text() @Describe("The provider's reason, if any.") reason!: string | null;
  @Required() @ListOf(() => VerificationDocument) @Describe('Ordered by n.') documents!: VerificationDocument[];
  @Required() @Text() created_at!: string;
  @Required() @Text() @Describe('When the provider last stated the status.') checked_at!: string;
}

export const VerificationPage = pageOf(VerificationRecord);
