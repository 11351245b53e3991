/** TwiML, Twilio's markup for call control. Pure. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const response = (verbs: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

/** A response without instructions. */
export const acknowledge = (): string => response('');

/** Must be the first verb, so that the carrier neither answers nor bills the call. */
export const rejectCall = (): string => response('<Reject reason="rejected"/>');

/** Connects the line to the media gateway at this address and passes the call id as a stream parameter. */
export function connectCall(streamUrl: string, callId: string): string {
  const parameter = `<Parameter name="call_id" value="${escaped(callId)}"/>`;
  return response(`<Connect><Stream url="${escaped(streamUrl)}">${parameter}</Stream></Connect>`);
}

const redirect = (next: string): string => `<Redirect method="POST">${escaped(next)}</Redirect>`;

/** Connects the call to a stream. When the stream ends, Twilio requests `next`. */
export function streamCall({ url, token, next }: { url: string; token: string; next: string }): string {
  const parameter = `<Parameter name="token" value="${escaped(token)}"/>`;
  return response(`<Connect><Stream url="${escaped(url)}">${parameter}</Stream></Connect>${redirect(next)}`);
}

/** A pause as the first verb lets an unanswered call keep ringing. */
export const holdCall = (seconds: number, next: string): string =>
  response(`${seconds === 0 ? '' : `<Pause length="${seconds}"/>`}${redirect(next)}`);

/** Without a nested verb nothing is spoken. Twilio requests the action even if no digit was pressed. */
export const askKeys = ({ keys, seconds, next }: { keys: number; seconds: number; next: string }): string =>
  response(
    `<Gather input="dtmf" numDigits="${keys}" timeout="${seconds}" actionOnEmptyResult="true" method="POST" action="${escaped(next)}"/>`,
  );

export const endCall = (message = ''): string =>
  response(`${message === '' ? '' : `<Say>${escaped(message)}</Say>`}<Hangup/>`);

/** Speaks the text on the leg of a transfer, then requests `next`. */
export const askLeg = (announcement: string, next: string): string =>
  response(`${announcement === '' ? '' : `<Say>${escaped(announcement)}</Say>`}${redirect(next)}`);

/** A conference for two lines: when the first one leaves, the conference ends and so does the other call. */
export const joinRoom = (room: string): string =>
  response(
    `<Dial><Conference beep="false" startConferenceOnEnter="true" endConferenceOnExit="true" waitUrl="">${escaped(room)}</Conference></Dial>`,
  );
