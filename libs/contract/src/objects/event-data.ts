import { eventDeclarations, type EventDeclaration, type EventType } from '../events';
import type { Class } from '../rules/class-facts';
import { CallRecord } from './call';
import { CampaignContactRecord, CampaignRecord } from './campaign';
import { MessageRecord } from './message';

const resourceClasses: Readonly<Record<EventDeclaration['resource'], Class>> = {
  call: CallRecord,
  message: MessageRecord,
  campaign: CampaignRecord,
  campaign_contact: CampaignContactRecord,
};

/** The class of `data` for an event type. */
export const dataClassOf = (type: EventType): Class => resourceClasses[eventDeclarations[type].resource];
