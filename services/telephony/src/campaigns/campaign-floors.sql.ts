import { LRUCache } from 'lru-cache';
import { DueFloor, systemClock } from '@parley/runtime';

/** The times from which a campaign's open attempts and its waiting contacts are read; see `DueFloor`. */
export interface CampaignFloors {
  readonly attempts: DueFloor;
  readonly contacts: DueFloor;
}

const floors = new LRUCache<string, CampaignFloors>({ max: 1_000 });

/**
 * The floors of a campaign. Its attempts and contacts are changed only under the lock on its row, and become ready or due at the time of that lock or later, so
 * the floors remain correct while another process runs the campaign.
 */
export function floorsOf(campaignId: string): CampaignFloors {
  const known = floors.get(campaignId);
  if (known !== undefined) return known;
  const options = { lookEveryMs: 1_000 };
  const made = { attempts: new DueFloor(systemClock, options), contacts: new DueFloor(systemClock, options) };
  floors.set(campaignId, made);
  return made;
}
