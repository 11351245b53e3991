import { AppError } from '@parley/errors';
import type { WindowCounter } from './window-counter';

const windowSeconds = 60;

/** Mints and revocations of a key in a minute, counted over all replicas. Each of them changes what every gateway knows of keys. */
export class MintLimit {
  constructor(
    private readonly most: number,
    private readonly counter: Pick<WindowCounter, 'add'>,
  ) {}

  /** @throws AppError rate_limited with the seconds until the minute ends */
  async admit(keyId: string): Promise<void> {
    const { count, secondsLeft } = await this.counter.add(`mints:${keyId}`, windowSeconds);
    if (count <= this.most) return;
    throw new AppError('rate_limited', `the key minted and revoked ${this.most} credentials in a minute`, {
      fields: { retry_after_seconds: secondsLeft },
    });
  }
}
