import type { AriClient } from '@parley/service';
import type { AsteriskControl } from './asterisk';

/** The form of channel names that Asterisk reports. */
export const channelForm = /^[\w.-]{1,64}$/;
const keysForm = /^[0-9*#]{1,64}$/;
/** Timeout in seconds for Asterisk to originate the local channel. */
const trySeconds = '30';

/**
 * Controls the call of a media websocket over Asterisk's REST Interface (ARI). The call's channel is in the dialplan, where ARI cannot control it directly.
 * Therefore a local channel runs the action on it: `press` of the context `parley-control` (docs/sip.md).
 */
export class AriControl implements AsteriskControl {
  constructor(
    private readonly ari: Pick<AriClient, 'request'>,
    private readonly channel: string,
  ) {}

  async press(digits: string): Promise<void> {
    if (!keysForm.test(digits)) throw new Error('keys are 0-9, * and #');
    await this.run('press', { PARLEY_DIGITS: digits });
  }

  private async run(what: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const answer = await this.ari.request('POST', '/channels', {
      query: {
        endpoint: `Local/${what}@parley-control`,
        context: 'parley-control',
        extension: 'idle',
        priority: '1',
        timeout: trySeconds,
      },
      body: { variables: { ...variables, PARLEY_TARGET: this.channel } },
    });
    if (answer.status >= 300) throw new Error(`Asterisk answered ${answer.status}`);
  }
}
