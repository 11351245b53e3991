import type { LineCarrier } from '@parley/contract';
import type { AriClient } from '@parley/service';
import type { WebSocket } from 'ws';
import { openAsteriskStream } from './asterisk';
import { AriControl, channelForm } from './asterisk-control';
import type { StreamStarted } from './connected-line';
import { openTwilioStream } from './twilio-call';

/** Takes an open, paused connection of a carrier. @param query of the address that it asked for */
export type OpenStream = (socket: WebSocket, started: StreamStarted, query: URLSearchParams) => void;

export interface StreamOptions {
  /** Undefined: keys are sent as tones, and no call is referred. */
  readonly ari: Pick<AriClient, 'request'> | undefined;
}

/** Carriers that connect a call to this worker by a media stream; the address of the stream ends in the name. */
export const streamsOf = ({ ari }: StreamOptions): Readonly<Record<LineCarrier, OpenStream>> => ({
  twilio: openTwilioStream,
  sip_trunk: (socket, started, query) => {
    const channel = query.get('channel') ?? '';
    const control = ari !== undefined && channelForm.test(channel) ? new AriControl(ari, channel) : undefined;
    openAsteriskStream(socket, (line) => started(line, query.get('token') ?? ''), { control });
  },
});
