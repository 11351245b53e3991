/** TwiML, the instructions that Twilio takes for an incoming call. Pure. */

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
