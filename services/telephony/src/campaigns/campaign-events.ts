import { append } from '@parley/outbox';
import { newId, type Queryable } from '@parley/runtime';
import type { Campaign } from './campaign.rules';
import { campaignEvent, contactEvent, type CampaignEvent } from './campaign-event.rules';
import type { CampaignStep } from './campaign-transitions.rules';
import { renderContact, type Contact } from './render-campaign.rules';

async function publish(tx: Queryable, events: readonly CampaignEvent[]): Promise<void> {
  await append(
    tx,
    events.map((event) => ({ ...event, stream: 'EVENTS' as const })),
  );
}

/**
 * Appends the event of a campaign's transition in the same transaction. Transitions that docs/reference/endpoints-and-events.md does not list have no event.
 */
export async function appendCampaignEvent(tx: Queryable, { campaign, event }: CampaignStep, at: Date): Promise<void> {
  if (event !== undefined) await publish(tx, [campaignEvent(newId('evt'), event, campaign, at)]);
}

/** Appends the events of finished contacts in the transaction that finishes them. */
export async function tellContacts(
  tx: Queryable,
  campaign: Campaign,
  contacts: readonly Contact[],
  at: Date,
): Promise<void> {
  const events = contacts.map((contact) =>
    contactEvent(newId('evt'), campaign, contact.contactId, renderContact(contact, false), at),
  );
  await publish(tx, events);
}
