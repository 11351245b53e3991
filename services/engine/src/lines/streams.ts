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
  /** Plays the encrypted announcement of a transfer to the other party and ends the stream. False: it was not encrypted by the platform. */
  readonly announce: (line: ConnectedLine, sealed: string) => boolean;
}

/** The carriers that connect a call to this worker by a media stream. The address of a stream ends in the carrier's name. */
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

/** Decodes keys that the dialplan has put into an address; empty for any other text. */
const keysOf = (text: string): string =>
  /^[0-9hs]{1,96}$/.test(text) ? text.replaceAll('h', '#').replaceAll('s', '*') : '';
