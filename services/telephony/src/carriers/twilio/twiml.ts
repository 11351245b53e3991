/** TwiML, the instructions that Twilio takes for a call. Pure. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const response = (verbs: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

/** Nothing is to be done. */
export const acknowledge = (): string => response('');

/** The first verb, so that the call is neither answered nor charged by the carrier. */
export const rejectCall = (): string => response('<Reject reason="rejected"/>');

/** Connects the line to the media gateway at an address, which learns by the parameter whose call it is. */
export function connectCall(streamUrl: string, callId: string): string {
  const parameter = `<Parameter name="call_id" value="${escaped(callId)}"/>`;
  return response(`<Connect><Stream url="${escaped(streamUrl)}">${parameter}</Stream></Connect>`);
}

const redirect = (next: string): string => `<Redirect method="POST">${escaped(next)}</Redirect>`;

/** The stream is the call; once it ended, Twilio asks what follows. */
export function streamCall({ url, token, next }: { url: string; token: string; next: string }): string {
  const parameter = `<Parameter name="token" value="${escaped(token)}"/>`;
  return response(`<Connect><Stream url="${escaped(url)}">${parameter}</Stream></Connect>${redirect(next)}`);
}

/** A pause that comes first lets a call that was not answered go on ringing. */
export const holdCall = (seconds: number, next: string): string =>
  response(`${seconds === 0 ? '' : `<Pause length="${seconds}"/>`}${redirect(next)}`);

/** Without a verb inside it is silence. The action is asked where no key was pressed too. */
export const askKeys = ({ keys, seconds, next }: { keys: number; seconds: number; next: string }): string =>
  response(
    `<Gather input="dtmf" numDigits="${keys}" timeout="${seconds}" actionOnEmptyResult="true" method="POST" action="${escaped(next)}"/>`,
  );

export const endCall = (message = ''): string =>
  response(`${message === '' ? '' : `<Say>${escaped(message)}</Say>`}<Hangup/>`);

/** Says the given text to the other party of a transfer, then asks what follows. */
export const askLeg = (announcement: string, next: string): string =>
  response(`${announcement === '' ? '' : `<Say>${escaped(announcement)}</Say>`}${redirect(next)}`);

/** Two parties in a room of their own: the first to leave ends it, and with it the call of the other one. */
export const joinRoom = (room: string): string =>
  response(
    `<Dial><Conference beep="false" startConferenceOnEnter="true" endConferenceOnExit="true" waitUrl="">${escaped(room)}</Conference></Dial>`,
  );
