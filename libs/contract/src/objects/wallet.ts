import { IsIn } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Nested, Nullable, Optional, Required } from '../rules/decorators';
import { Money } from './call';
import { billingModes } from './organization';
import { ListQuery, pageOf } from './page';

@DescribeObject('GET /v1/wallet. `available` is `balance` less `reserved`.')
export class WalletRecord {
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(billingModes) billing!: (typeof billingModes)[number];
  @Required() @Nested(() => Money) @Describe('The sum of the ledger.') balance!: Money;
  @Required() @Nested(() => Money) @Describe('Reserved for calls that have not ended.') reserved!: Money;
  @Required() @Nested(() => Money) available!: Money;
}

@DescribeObject('POST /v1/wallet/top-ups.')
export class WalletTopUp {
  @Required() @IntWithin({ min: 1, max: limits.topUpMicros }) @Describe('Micro-USD.') amount_micros!: number;
  @Optional() @Text({ max: 200 }) note?: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

export const topUpStatuses = ['pending', 'confirmed'] as const;

@DescribeObject('A requested top-up. Pending ones are neither in the balance nor in the ledger.')
export class TopUpRecord {
  @Required() @Text() top_up_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(topUpStatuses) status!: (typeof topUpStatuses)[number];
  @Required() @Nested(() => Money) amount!: Money;
  @Required()
  @Nullable()
  @Nested(() => Money)
  @Describe('The balance right after it counted; null while it is pending.')
  balance!: Money | null;
  @Required() @Nullable() @Text() @Describe('Its movement in the ledger; null while it is pending.') entry_id!:
    string | null;
  @Required() @Text() note!: string;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() confirmed_at!: string | null;
}

export const TopUpPage = pageOf(TopUpRecord);

@DescribeObject('GET /v1/wallet/top-ups.')
export class TopUpListQuery extends ListQuery {
  @Optional() @IsIn(topUpStatuses) status?: (typeof topUpStatuses)[number];
}

export const ledgerKinds = ['top_up', 'charge'] as const;

/** An entry in the ledger of a wallet. Entries are never changed or deleted. */
@DescribeObject('A movement of the wallet. Amounts of charges are negative.')
export class LedgerEntry {
  @Required() @Text() entry_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(ledgerKinds) kind!: (typeof ledgerKinds)[number];
  @Required() @Nested(() => Money) amount!: Money;
  @Required() @Nested(() => Money) @Describe('After it.') balance!: Money;
  @Required() @Nullable() @Text() call_id!: string | null;
  @Required() @Nullable() @Text() message_id!: string | null;
  @Required() @Text() note!: string;
  @Required() @Text() created_at!: string;
}

export const LedgerPage = pageOf(LedgerEntry);
