import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/errors';
import type { WindowCounter } from '../auth';
import { addressGroup, clientAddress } from '@parley/runtime';

const windowSeconds = 60;

export interface CarrierLimitOptions {
  /** Maximum of requests per address and minute. */
  readonly perMinute: number;
  readonly trustedProxies: number;
  readonly counter: Pick<WindowCounter, 'add'>;
}

/**
 * Limits carrier webhooks per address and minute, counted over all replicas. They need no key, and each costs an account look-up, so they are counted before
 * anything else.
 */
export class CarrierLimit {
  constructor(private readonly options: CarrierLimitOptions) {}

  /** @throws AppError rate_limited with the seconds until the minute ends */
  async admit(request: IncomingMessage): Promise<void> {
    const { perMinute, trustedProxies, counter } = this.options;
    const address = addressGroup(clientAddress(request, trustedProxies));
    const { count, secondsLeft } = await counter.add(`carriers:${address}`, windowSeconds);
    if (count <= perMinute) return;
    throw new AppError('rate_limited', `more than ${perMinute} requests of carriers in a minute from this address`, {
      fields: { retry_after_seconds: secondsLeft },
    });
  }
}
