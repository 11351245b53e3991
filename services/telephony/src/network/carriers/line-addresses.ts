import type { Network } from './carrier';
import type { Telephony } from '../../telephony';

type Addresses = Pick<Telephony, 'settings'>;

const trimmed = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');

/** Whether carriers can reach this platform and its workers, which placing and answering lines requires. */
export const takesLines = ({ settings: { publicUrl, mediaPublicUrl } }: Addresses): boolean =>
  publicUrl !== undefined && mediaPublicUrl !== undefined;

/** Whether this installation can place and answer calls of a number provider. Carriers with accounts need the public addresses; SIP trunks need an Asterisk. */
export const takesLinesOf = (telephony: Addresses & Pick<Network, 'sip'>, provider: string): boolean =>
  provider === 'sip_trunk' ? telephony.sip.lines !== undefined : takesLines(telephony);

/** Where workers accept media streams of a carrier. */
export const streamUrlOf = ({ settings }: Addresses, provider: string): string =>
  `${trimmed(settings.mediaPublicUrl) ?? ''}/${provider}`;

/** Where the carrier requests its next instructions. The carrier's signature covers the call id in the URL. */
export const nextUrlOf = ({ settings }: Addresses, provider: string, callId: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/calls?call_id=${callId}`;

/** Where the carrier posts the digits that a caller pressed before a call record exists. */
export const keysUrlOf = ({ settings }: Addresses, provider: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/calls?keys=pressed`;

/** Whether a URL is that of `keysUrlOf`. */
export const bringsKeys = (url: string): boolean => URL.parse(url)?.searchParams.get('keys') === 'pressed';

/** Where the carrier posts status updates of a line. */
export const statusUrlOf = ({ settings }: Addresses, provider: string, callId: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/call-statuses?call_id=${callId}`;

/** Our call id in the URL that a carrier requested; empty for none. */
export const referenceOf = (url: string): string => URL.parse(url)?.searchParams.get('call_id') ?? '';

/** Our id of the transfer to whose leg the request belongs; empty for none. */
export const transferOf = (url: string): string => URL.parse(url)?.searchParams.get('transfer_id') ?? '';
