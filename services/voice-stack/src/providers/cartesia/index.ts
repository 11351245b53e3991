import { bySpeed, fixed } from '../delivery';
import { perMinute } from '../pricing';
import type { ProviderEntry } from '../provider';
import { inventory } from './inventory';
import { list } from '../languages';

/** The eight languages that its older generation supports. */
export const cartesiaSonic2 = list('en fr de es pt zh ja ko');

export const cartesiaSonic3 = list(
  'en de es fr ja pt zh hi ko it nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa',
);

export const cartesia: ProviderEntry = {
  name: 'cartesia',
  requiresAccount: true,
  inventory,
  voices: {
    label: 'Cartesia',
    models: [
      bySpeed({
        model: 'sonic-3',
        languages: cartesiaSonic3,
        // The price is per minute of speech; the agent is assumed to speak half of the time.
        cost_micros_per_minute: perMinute(0.04 / 2),
        latency_ms: 90,
        estimated: ['cost_micros_per_minute'],
      }),
      // Only the third generation has the speed control.
      fixed({
        model: 'sonic-2',
        languages: cartesiaSonic2,
        cost_micros_per_minute: perMinute(0.04 / 2),
        latency_ms: 90,
        estimated: ['cost_micros_per_minute'],
      }),
    ],
  },
};
