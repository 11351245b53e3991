import { IsIn, IsInt, Max, Min } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { DescribeObject, Nested, Nullable, Optional, Required } from '../rules/decorators';
import { Money } from './call';
import { billingModes } from './organization';
import { ListQuery, pageOf } from './page';

/** GET /v1/wallet. `available` is `balance` less `reserved`. */
export class WalletRecord {
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(billingModes) billing!: (typeof billingModes)[number];
  /** The sum of the ledger. */
  @Required() @Nested(() => Money) balance!: Money;
  /** What calls that are not over may still cost. */
  @Required() @Nested(() => Money) reserved!: Money;
  @Required() @Nested(() => Money) available!: Money;
}

/** POST /v1/wallet/top-ups. */
export class WalletTopUp {
  /** Micro-USD. */
  @Required() @IsInt() @Min(1) @Max(limits.topUpMicros) amount_micros!: number;
  @Optional() @Text({ max: 200 }) note?: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

export const topUpStatuses = ['pending', 'confirmed'] as const;

/** A top-up as it was asked for. Pending ones are not in the balance, nor in the ledger. */
export class TopUpRecord {
  @Required() @Text() top_up_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(topUpStatuses) status!: (typeof topUpStatuses)[number];
  @Required() @Nested(() => Money) amount!: Money;
  /** The balance right after it counted; null while it is pending. */
  @Required() @Nullable() @Nested(() => Money) balance!: Money | null;
  /** Its movement in the ledger; null while it is pending. */
  @Required() @Nullable() @Text() entry_id!: string | null;
  @Required() @Text() note!: string;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() confirmed_at!: string | null;
}

export const TopUpPage = pageOf(TopUpRecord);

/** GET /v1/wallet/top-ups. */
export class TopUpListQuery extends ListQuery {
  @Optional() @IsIn(topUpStatuses) status?: (typeof topUpStatuses)[number];
}

export const ledgerKinds = ['top_up', 'charge'] as const;

/** One movement of a wallet; never changed, never removed. */
@DescribeObject('A movement of the wallet. Amounts of charges are negative.')
export class LedgerEntry {
  @Required() @Text() entry_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(ledgerKinds) kind!: (typeof ledgerKinds)[number];
  @Required() @Nested(() => Money) amount!: Money;
  /** After it. */
  @Required() @Nested(() => Money) balance!: Money;
  @Required() @Nullable() @Text() call_id!: string | null;
  @Required() @Nullable() @Text() message_id!: string | null;
  @Required() @Text() note!: string;
  @Required() @Text() created_at!: string;
}

export const LedgerPage = pageOf(LedgerEntry);
