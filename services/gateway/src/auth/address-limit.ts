import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/errors';
import { addressGroup, clientAddress } from '@parley/runtime';
import type { WindowCounter } from './window-counter';

const windowSeconds = 60;

export interface AddressLimitOptions {
  /** The name of the limit: requests with different names are counted separately. */
  readonly name: 'carriers' | 'demos';
  /** Maximum of requests per address and minute. */
  readonly perMinute: number;
  readonly trustedProxies: number;
  readonly counter: Pick<WindowCounter, 'add'>;
}

/** Limits requests that need no key, per address and minute, counted over all replicas. They are counted before anything else, because each costs a look-up. */
export class AddressLimit {
  constructor(private readonly options: AddressLimitOptions) {}

  /**
   * @returns the group of the request's address
   * @throws AppError rate_limited with the seconds until the minute ends
   */
  async admit(request: IncomingMessage): Promise<string> {
    const { name, perMinute, trustedProxies, counter } = this.options;
    const address = addressGroup(clientAddress(request, trustedProxies));
    const { count, secondsLeft } = await counter.add(`${name}:${address}`, windowSeconds, 1, perMinute);
    if (count <= perMinute) return address;
    throw new AppError('rate_limited', `more than ${perMinute} requests of ${name} in a minute from this address`, {
      fields: { retry_after_seconds: secondsLeft },
    });
  }
}
