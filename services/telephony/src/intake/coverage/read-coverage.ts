import { carrierNames, lineCarriers, type Coverage } from '@parley/contract';
import { readCallableCountries } from '../../policy';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { whyNotRunnable } from '../../dispatch';

const carriers: readonly string[] = [...new Set<string>([...carrierNames, ...lineCarriers])];
const dialers = ['hosted', 'own'] as const;

/**
 * Which calls the installation can place and answer for an organization, according to the workers' declarations, its carrier accounts, the installation's
 * settings and its policy.
 */
export async function readCoverage(
  telephony: Pick<Telephony, 'db' | 'workers' | 'settings'> & Pick<Network, 'sip'>,
  organizationId: string,
): Promise<Coverage> {
  const pairs = carriers.flatMap((carrier) => dialers.map((dialer) => ({ carrier, dialer })));
  const [countries, ...covered] = await Promise.all([
    readCallableCountries(telephony.db, organizationId),
    ...pairs.map(async ({ carrier, dialer }) => {
      const found = await whyNotRunnable(telephony, organizationId, dialer, [`carrier:${carrier}`]);
      const blockers = found.map(({ code, scope, detail }) => ({ code, scope, detail }));
      return { carrier, dialer, simulated: carrier === 'simulator', available: blockers.length === 0, blockers };
    }),
  ]);
  return { carriers: covered, countries };
}
