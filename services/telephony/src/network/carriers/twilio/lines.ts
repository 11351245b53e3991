import type {
  CallOrder,
  CallState,
  CarrierAccount,
  CarrierLines,
  CarrierOptions,
  OrderOutcome,
  RunOutcome,
} from '../carrier';
import { readAnswer, askTwilio, codeOf, neverSent, refusalOf } from './client';
import { callReport } from './forms';

/** Tolerance between the clock of the database and Twilio's. */
const clockSkewMs = 5_000;

const callEvents = ['initiated', 'ringing', 'answered', 'completed'];

/**
 * Uses the Calls resource of Twilio's Programmable Voice (2010-04-01). Twilio has no idempotency key, so an order that was sent but got no response is never
 * sent again: whether the call exists is learned from its status callbacks, whose URL contains our call id, and from Twilio's list of calls.
 */
export class TwilioLines implements CarrierLines {
  constructor(private readonly options: CarrierOptions) {}

  async place(order: CallOrder, account: CarrierAccount): Promise<OrderOutcome> {
    const form = new URLSearchParams({
      To: order.to,
      From: order.from,
      Twiml: order.markup,
      Timeout: String(order.ringSeconds),
      TimeLimit: String(order.longestSeconds),
      StatusCallback: order.statusUrl,
      StatusCallbackMethod: 'POST',
    });
    for (const event of callEvents) form.append('StatusCallbackEvent', event);
    try {
      const response = await askTwilio(this.options, account, 'Calls.json', { method: 'POST', body: form });
      const answer = await readAnswer(response);
      if (!response.ok) {
        const refusal = refusalOf(response.status, answer);
        // The request may have taken effect before the server error occurred.
        return response.status >= 500
          ? { outcome: 'unknown', detail: refusal.code }
          : { outcome: 'refused', ...refusal };
      }
      if (typeof answer.sid === 'string' && answer.sid !== '') return { outcome: 'placed', carrierCallId: answer.sid };
      return { outcome: 'unknown', detail: 'the carrier answered without a sid' };
    } catch (error) {
      const code = codeOf(error);
      if (!neverSent.has(code)) return { outcome: 'unknown', detail: code };
      return { outcome: 'refused', code: 'unreachable', detail: `the carrier cannot be reached: ${code}` };
    }
  }

  async fetchState(carrierCallId: string, account: CarrierAccount): Promise<CallState> {
    try {
      const response = await askTwilio(this.options, account, callPath(carrierCallId));
      if (response.status === 404) return { outcome: 'none' };
      const { status } = await readAnswer(response);
      if (!response.ok || typeof status !== 'string') return { outcome: 'unknown', detail: `http_${response.status}` };
      return { outcome: 'known', report: callReport(carrierCallId, status) };
    } catch (error) {
      return { outcome: 'unknown', detail: codeOf(error) };
    }
  }

  async placedSince(
    { to, from }: Pick<CallOrder, 'to' | 'from'>,
    since: Date,
    account: CarrierAccount,
  ): Promise<readonly string[] | undefined> {
    const query = new URLSearchParams({ To: to, From: from, PageSize: '50' });
    try {
      const response = await askTwilio(this.options, account, `Calls.json?${query.toString()}`);
      const { calls } = await readAnswer(response);
      if (!response.ok || !Array.isArray(calls)) return undefined;
      return calls.flatMap((call: unknown) => sidOf(call, since.getTime() - clockSkewMs));
    } catch {
      return undefined;
    }
  }

  async run(carrierCallId: string, markup: string, account: CarrierAccount): Promise<RunOutcome> {
    const body = new URLSearchParams({ Twiml: markup });
    try {
      const response = await askTwilio(this.options, account, callPath(carrierCallId), { method: 'POST', body });
      return response.ok ? 'done' : response.status === 429 ? 'not_taken' : 'unknown';
    } catch (error) {
      return neverSent.has(codeOf(error)) ? 'not_taken' : 'unknown';
    }
  }

  async hangUp(carrierCallId: string, account: CarrierAccount): Promise<boolean> {
    const body = new URLSearchParams({ Status: 'completed' });
    try {
      const response = await askTwilio(this.options, account, callPath(carrierCallId), { method: 'POST', body });
      // Success too: the call is already over (error 21220), or it does not exist.
      const { code } = await readAnswer(response);
      return response.ok || response.status === 404 || code === 21_220;
    } catch {
      return false;
    }
  }
}

const callPath = (carrierCallId: string): string => `Calls/${encodeURIComponent(carrierCallId)}.json`;

function sidOf(call: unknown, sinceMs: number): string[] {
  if (typeof call !== 'object' || call === null) return [];
  const { sid, date_created: created } = call as { readonly sid?: unknown; readonly date_created?: unknown };
  if (typeof sid !== 'string' || typeof created !== 'string') return [];
  return Date.parse(created) >= sinceMs ? [sid] : [];
}
