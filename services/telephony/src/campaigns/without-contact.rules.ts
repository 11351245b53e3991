import type { Campaign } from './campaign.rules';

/** The campaign after one of its contacts was removed that no attempt is under way for. What was done with it stays counted as attempts. */
export function withoutContact(
  campaign: Campaign,
  { status, outcome }: { readonly status: 'pending' | 'completed'; readonly outcome: string | null },
): Campaign {
  const counted = { ...campaign, contacts: campaign.contacts - 1, [status]: campaign[status] - 1 };
  if (outcome === null) return counted;
  const left = Object.entries({
    ...campaign.outcomes,
    [outcome]: (campaign.outcomes as Record<string, number>)[outcome] ?? 1,
  });
  const outcomes = Object.fromEntries(
    left.map(([name, count]) => [name, name === outcome ? count - 1 : count] as const).filter(([, count]) => count > 0),
  );
  return { ...counted, outcomes };
}
