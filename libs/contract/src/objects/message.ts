import { IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { Entries, JsonObjectWithin, Text } from '../rules/constraints';
import {
  BelongsElsewhere,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { callDirections, CallPolicy, Money, type CallDirection } from './call';
import { idText, phoneNumber } from './fields';
import { pageOf } from './page';
import { ConversationListQuery } from './search-query';
import { MessageTranslation } from './translation';

export const messageStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'received'] as const;
/** The transitions are `queued → sent → delivered | undelivered | failed`; an incoming message is `received`. */
export type MessageStatus = (typeof messageStatuses)[number];

/** Alternative field names for the recipient's number and for the sender's number. */
const toNames = ['to', 'to_phone_number'] as const;
const fromNames = ['from', 'from_phone_number', 'from_number'] as const;

/** The fields that the general route and the template route share. */
class MessageFields {
  @Optional() @Text(phoneNumber) @Example('+14155550100') @Describe('E.164.') to?: string;
  @Optional() @Text(phoneNumber) @Describe('Another name of `to`.') to_phone_number?: string;
  @Optional() @Text(phoneNumber) @Describe("A number of the agent's project; its only one when omitted.") from?: string;
  @Optional() @Text(phoneNumber) @Describe('Another name of `from`.') from_phone_number?: string;
  @Optional() @Text(phoneNumber) @Describe('Another name of `from`.') from_number?: string;
  @Optional() @Text(idText) @Describe('The sending number by its id, in place of `from`.') number_id?: string;
  @Optional()
  @Text(limits.messagePurpose)
  @Describe("What the message is for, in the sender's own word, such as reminder.")
  purpose?: string;
  @Optional() @JsonObjectWithin(limits.metadataBytes) metadata?: Record<string, unknown>;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional()
  @IsBoolean()
  @Describe('The client declares that the recipient agreed; outbound policy may require it.')
  consent?: boolean;
  @Optional()
  @Text({ ...limits.idempotencyKey, pattern: /^[\x21-\x7e]+$/, description: 'visible ASCII characters' })
  @Describe('The Idempotency-Key; must equal the header.')
  idempotency_key?: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

function addressing(value: MessageFields): string | undefined {
  const named = (names: readonly (keyof MessageFields)[]) =>
    new Set(names.flatMap((name) => (value[name] === undefined ? [] : [value[name]])));
  if (named(toNames).size === 0) return 'to is required';
  if (named(toNames).size > 1) return 'to_phone_number must be the same number as to';
  if (named(fromNames).size > 1) return 'from is named twice, with different numbers';
  return undefined;
}

/** The numbers in a validated body, whichever of the field names it used. */
export function messageAddresses(value: MessageFields): { readonly to: string; readonly from: string | undefined } {
  return {
    to: value.to ?? value.to_phone_number ?? '',
    from: value.from ?? value.from_phone_number ?? value.from_number,
  };
}

@DescribeObject('POST /v1/messages.')
@Rule(addressing)
@Ignores('message_id', 'status', 'created_at', 'updated_at', 'direction', 'segment_count', 'provider', 'template_id')
export class MessageCreate extends MessageFields {
  @Required() @Text(idText) agent_id!: string;
  @Required() @Text(limits.messageBody) body!: string;
  @Optional() @Text(idText) @Describe("The campaign that it belongs to, in the sender's books.") campaign_id?: string;
}

@DescribeObject('Other fields that name a resource or a text are refused.')
@Rule(addressing)
@Ignores('agent_id')
@BelongsElsewhere('POST /v1/messages', ['body', 'campaign_id', 'provider', 'segment_count'])
export class TemplateMessageCreate extends MessageFields {
  @Required() @Text(idText) template_id!: string;
  @Optional()
  @Entries({
    maxEntries: limits.templateSlots.max,
    key: limits.toolName,
    value: { min: 0, max: limits.templateText.max },
  })
  slots?: Record<string, string>;
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
}

@DescribeObject('Why a message did not arrive.')
export class MessageError {
  @Required()
  @Text()
  @Describe(
    'The code of the carrier, or `policy_refused`, `suppressed`, `carrier_not_configured`, `carrier_unreachable`, `outcome_unknown`.',
  )
  code!: string;
  @Required() @Text() detail!: string;
}

@DescribeObject('A message as reads show it. Times are null until the step is reached.')
export class MessageRecord {
  @Required() @Text() message_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Nullable() @Text() @Describe('Null for an incoming message to a number without an agent.') agent_id!:
    string | null;
  @Required() @IsIn(callDirections) direction!: CallDirection;
  @Required() @Text() from!: string;
  @Required() @Text() to!: string;
  @Required() @IsIn(messageStatuses) status!: MessageStatus;
  @Required() @Text() body!: string;
  @Required() @IsInt() @Describe('How many parts the carrier sends and charges.') segment_count!: number;
  @Required() @Nullable() @Text() purpose!: string | null;
  @Required() @Nullable() @Text() campaign_id!: string | null;
  @Required() @Nullable() @Text() template_id!: string | null;
  @Required() @Nullable() @Text() language!: string | null;
  @Required() @Text() @Describe("The number's provider: the simulator or a carrier.") provider!: string;
  @Required() @Nullable() @Text() @Describe("The carrier's own name for the message.") carrier_message_id!:
    string | null;
  @Required() @Nested(() => CallPolicy) policy!: CallPolicy;
  @Required() @Nullable() @Nested(() => MessageError) error!: MessageError | null;
  @Required()
  @Nullable()
  @Nested(() => MessageTranslation)
  @Describe("Null if the agent's policy asks for none.")
  translation!: MessageTranslation | null;
  @Required() @Nested(() => Money) cost!: Money;
  @Required() @JsonObjectWithin(limits.metadataBytes) metadata!: Record<string, unknown>;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() sent_at!: string | null;
  @Required() @Nullable() @Text() delivered_at!: string | null;
  @Required() @Nullable() @Text() undelivered_at!: string | null;
  @Required() @Nullable() @Text() failed_at!: string | null;
  @Required() @Nullable() @Text() received_at!: string | null;
  @Required() @Text() updated_at!: string;
}

export const MessagePage = pageOf(MessageRecord);

@DescribeObject('Filters of GET /v1/messages.')
export class MessageListQuery extends ConversationListQuery {
  @Optional() @IsIn(messageStatuses) status?: MessageStatus;
  @Optional() @IsIn(callDirections) direction?: CallDirection;
}
