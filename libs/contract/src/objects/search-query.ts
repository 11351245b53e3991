import { Rule, Describe, Optional } from '../rules/decorators';
import { Text, Timestamp } from '../rules/constraints';
import { idText, phoneNumber } from './fields';
import { ProjectListQuery, Sort, type ListOrder } from './page';

/** The filters that lists of calls and of messages share. */
@Rule<ConversationListQuery>(({ since, until }) =>
  since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)
    ? 'until must be later than since'
    : undefined,
)
export class ConversationListQuery extends ProjectListQuery {
  @Optional() @Text(idText) agent_id?: string;
  @Optional() @Text(phoneNumber) from?: string;
  @Optional() @Text(phoneNumber) to?: string;
  @Optional() @Timestamp() @Describe('Created at this time or later.') since?: string;
  @Optional() @Timestamp() @Describe('Created before this time.') until?: string;
  @Sort() sort!: ListOrder;
}
