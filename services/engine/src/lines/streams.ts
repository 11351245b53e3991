import type { AccountCarrier } from '@parley/contract';
import type { WebSocket } from 'ws';
import type { StreamStarted } from './connected-line';
import { openTwilioStream } from './twilio-call';

/** Takes an open, paused connection of a carrier. */
type OpenStream = (socket: WebSocket, started: StreamStarted) => void;

/** Carriers that connect a call to this worker by a media stream; the address of the stream ends in the name. */
export const streams: Readonly<Record<AccountCarrier, OpenStream>> = { twilio: openTwilioStream };

export const streamCarriers = Object.keys(streams) as readonly AccountCarrier[];
