import type { Usage, UsageQuery } from '@parley/contract';
import type { Telephony } from '../../telephony';
import { databaseTime } from './call-rollups.sql';
import { usagePeriodOf } from './period.rules';
import { sumCalls, sumMessages } from './usage.sql';

/** An organization's usage: calls from the rollups, which still include erased calls; messages from individual rows. */
export async function readUsage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: UsageQuery,
): Promise<Usage> {
  const period = usagePeriodOf(query, await databaseTime(db));
  const [calls, messages] = await Promise.all([
    sumCalls(db, organizationId, period),
    sumMessages(db, organizationId, period),
  ]);
  return {
    organization_id: organizationId,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    calls: {
      calls: Number(calls?.calls),
      answered: Number(calls?.answered),
      duration_seconds: Number(calls?.duration_seconds),
      cost_micros: Number(calls?.cost_micros),
    },
    messages: {
      sent: Number(messages?.sent),
      received: Number(messages?.received),
      segments: Number(messages?.segments),
      cost_micros: Number(messages?.cost_micros),
    },
  };
}
