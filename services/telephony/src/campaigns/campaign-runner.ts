import { poller, type Background, type Logger } from '@parley/runtime';
import { anyCampaignDue } from './due-campaigns.cross-tenant.sql';
import { runDueCampaign } from './run-campaign';
import type { Telephony } from '../telephony';
import { heldWork } from '../queue';

/** Turns in one run, so that a stop never waits long. */
const batch = 200;

/** Takes turns of campaigns as they come due. Every replica has one; the row locks of the campaigns share them out. */
export function createCampaignRunner(telephony: Telephony, log: Logger): Background {
  const mayPlace = async (): Promise<boolean> => (await heldWork(telephony.controls)) !== undefined;
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      if (!(await anyCampaignDue(telephony.db)) || !(await runDueCampaign(telephony, mayPlace, log))) return;
    }
  };
  return poller({ name: 'campaign-runner', everyMs: 100, run, log });
}
