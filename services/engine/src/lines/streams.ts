import type { LineCarrier } from '@parley/contract';
import type { AriClient } from '@parley/service';
import type { WebSocket } from 'ws';
import { openAsteriskStream } from './asterisk';
import { AriControl, channelForm } from './asterisk-control';
import type { ConnectedLine, StreamStarted } from './connected-line';
import { openTwilioStream } from './twilio-call';

/** Accepts an open, paused connection of a carrier. @param query the query of the requested address */
export type OpenStream = (socket: WebSocket, started: StreamStarted, query: URLSearchParams) => void;

export interface StreamOptions {
  /** Undefined: keys are sent as in-band tones. */
  readonly ari: Pick<AriClient, 'request'> | undefined;
  /** Plays the sealed announcement of a transfer to the other party, and ends the stream. False: it was not sealed by the platform. */
  readonly announce: (line: ConnectedLine, sealed: string) => boolean;
}

/** Carriers that connect a call to this worker by a media stream; the stream's address ends in the name. */
export const streamsOf = ({ ari, announce }: StreamOptions): Readonly<Record<LineCarrier, OpenStream>> => ({
  twilio: openTwilioStream,
  sip_trunk: (socket, started, query) => {
    const channel = query.get('channel') ?? '';
    const control = ari !== undefined && channelForm.test(channel) ? new AriControl(ari, channel) : undefined;
    const say = query.get('say');
    const opened = (line: ConnectedLine): void => {
      if (say === null) started(line, query.get('token') ?? '');
      else if (!announce(line, say)) started(line, '');
    };
    const pressed = keysOf(query.get('keys') ?? '');
    openAsteriskStream(socket, opened, { control, rings: query.get('rings') === '1', pressed });
  },
});

/** Keys as the dialplan encodes them in an address; empty for anything else. */
const keysOf = (text: string): string =>
  /^[0-9hs]{1,96}$/.test(text) ? text.replaceAll('h', '#').replaceAll('s', '*') : '';
