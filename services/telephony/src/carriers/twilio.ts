import type { Message } from '../domain/message';
import type { Carrier, CarrierAccount, SendOutcome } from './carrier';

export interface TwilioOptions {
  /** Of the API: https://api.twilio.com, or a server that speaks its protocol. */
  readonly apiUrl: string;
  /** Of this platform, where reports are sent; undefined: they are sent nowhere. */
  readonly publicUrl: string | undefined;
  readonly timeoutMs: number;
}

interface TwilioAnswer {
  readonly sid?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Faults of a connection that was never made: nothing went out. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Speaks the REST protocol of Twilio's Programmable Messaging (2010-04-01). Twilio has no key against repeats, so a request that
 * went out and was not answered is never sent again: its StatusCallback carries our own id, and tells what became of it.
 */
export class TwilioCarrier implements Carrier {
  readonly provider = 'twilio';
  readonly dropsRepeats = false;
  readonly reportAfterSeconds = undefined;

  constructor(private readonly options: TwilioOptions) {}

  async send(message: Message, account: CarrierAccount | undefined): Promise<SendOutcome> {
    const { apiUrl, publicUrl, timeoutMs } = this.options;
    if (account === undefined) {
      return { outcome: 'refused', code: 'carrier_not_configured', detail: 'no account at twilio is stored' };
    }
    const { accountSid, authToken } = account;
    const path = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
    const form = new URLSearchParams({ To: message.to, From: message.from, Body: message.body });
    if (publicUrl !== undefined) {
      form.set('StatusCallback', `${publicUrl.replace(/\/+$/, '')}${statusTarget(message.messageId)}`);
    }
    try {
      const response = await fetch(new URL(path, apiUrl), {
        method: 'POST',
        body: form,
        headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return outcomeOf(response.status, await answerOf(response), Number(response.headers.get('retry-after')));
    } catch (error) {
      const code = codeOf(error);
      if (neverSent.has(code)) return { outcome: 'not_taken', code: 'carrier_unreachable', detail: code };
      return { outcome: 'unknown', detail: code };
    }
  }
}

/** Where a carrier reports what became of a message. */
export const statusTarget = (messageId: string): string => `/v1/carriers/twilio/statuses?message_id=${messageId}`;

function outcomeOf(status: number, answer: TwilioAnswer, retryAfter: number): SendOutcome {
  if (status >= 200 && status < 300) {
    if (typeof answer.sid === 'string' && answer.sid !== '')
      return { outcome: 'accepted', carrierMessageId: answer.sid };
    return { outcome: 'unknown', detail: 'the carrier answered without a sid' };
  }
  const code =
    typeof answer.code === 'number' || typeof answer.code === 'string' ? String(answer.code) : `http_${status}`;
  const detail = typeof answer.message === 'string' ? answer.message.slice(0, 500) : `the carrier answered ${status}`;
  if (status === 429) {
    return { outcome: 'not_taken', code, detail, ...(retryAfter > 0 && { afterSeconds: Math.min(retryAfter, 3600) }) };
  }
  // A server that failed may have done its work before.
  return status >= 500 ? { outcome: 'unknown', detail } : { outcome: 'refused', code, detail };
}

/** What is no JSON says nothing. */
async function answerOf(response: Response): Promise<TwilioAnswer> {
  const text = await response.text();
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The system's own code of a fault, never its text: that may hold the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
}
