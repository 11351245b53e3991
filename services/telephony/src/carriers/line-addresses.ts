import type { Telephony } from '../telephony';

type Addresses = Pick<Telephony, 'settings'>;

const trimmed = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');

/** Whether carriers can reach this platform and its workers: what the platform dials and answers lines by. */
export const takesLines = ({ settings: { publicUrl, mediaPublicUrl } }: Addresses): boolean =>
  publicUrl !== undefined && mediaPublicUrl !== undefined;

/** Whether lines of a provider of numbers are placed and answered here: those of carriers with accounts at public addresses, those of trunks by an Asterisk. */
export const takesLinesOf = (telephony: Pick<Telephony, 'settings' | 'sip'>, provider: string): boolean =>
  provider === 'sip_trunk' ? telephony.sip.lines !== undefined : takesLines(telephony);

/** Where the workers take streams of a carrier. */
export const streamUrlOf = ({ settings }: Addresses, provider: string): string =>
  `${trimmed(settings.mediaPublicUrl) ?? ''}/${provider}`;

/** Where the carrier asks what follows. The signature covers the reference. */
export const nextUrlOf = ({ settings }: Addresses, provider: string, callId: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/calls?call_id=${callId}`;

/** Where the carrier asks with the keys that a caller pressed before there is a call. */
export const keysUrlOf = ({ settings }: Addresses, provider: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/calls?keys=pressed`;

/** Whether an address is the one above. */
export const bringsKeys = (url: string): boolean => URL.parse(url)?.searchParams.get('keys') === 'pressed';

/** Where the carrier reports what becomes of a line. */
export const statusUrlOf = ({ settings }: Addresses, provider: string, callId: string): string =>
  `${trimmed(settings.publicUrl) ?? ''}/v1/carriers/${provider}/call-statuses?call_id=${callId}`;

/** Our own reference in the address that a carrier asked; empty for none. */
export const referenceOf = (url: string): string => URL.parse(url)?.searchParams.get('call_id') ?? '';

/** Our id of the transfer whose leg is about to be followed; empty for none. */
export const transferOf = (url: string): string => URL.parse(url)?.searchParams.get('transfer_id') ?? '';
