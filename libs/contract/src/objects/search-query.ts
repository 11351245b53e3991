import { IsIn } from 'class-validator';
import { Default, Rule, Describe, Optional } from '../rules/decorators';
import { Text, Timestamp } from '../rules/constraints';
import { idText, phoneNumber } from './fields';
import { ProjectListQuery } from './page';

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
  @Optional()
  @IsIn(['-created_at', 'created_at'])
  @Default('-created_at')
  @Describe(
    'In which order: newest first, or with `created_at` oldest first. A cursor is of the order in which it was given.',
  )
  sort!: '-created_at' | 'created_at';
}
