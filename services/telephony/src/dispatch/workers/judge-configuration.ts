import type { JudgeConfigurationResponse } from '@parley/proto/telephony';
import { needsOnLine, type Blocker } from '@parley/contract';
import { linesOfProject, type Network } from '../../network';
import { whyNotRunnable } from './runnable';
import type { Telephony } from '../../telephony';

/**
 * Why calls with these needs cannot be conducted from the numbers of a project. Returns the blockers of the number that has the fewest. Without a number,
 * carriers are not considered.
 */
export async function judgeConfiguration(
  telephony: Pick<Telephony, 'db' | 'workers' | 'settings'> & Pick<Network, 'sip'>,
  organizationId: string,
  projectId: string,
  needs: readonly string[],
): Promise<JudgeConfigurationResponse> {
  let fewest: Blocker[] | undefined;
  for (const { provider, dialer } of await linesOfProject(telephony.db, organizationId, projectId)) {
    const wanted = provider === undefined ? needs : needsOnLine(needs, provider);
    const blockers = await whyNotRunnable(telephony, organizationId, dialer, wanted);
    if (fewest === undefined || blockers.length < fewest.length) fewest = blockers;
  }
  return { hindrances: fewest ?? [], translator: telephony.settings.translator };
}
