import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Api } from '../api';
import { type Answer } from '../api';
import type { Platform } from '../platform';
import { arbitraryOf, type Hints } from './arbitrary-of-schema';
import { invalidValuesOf } from './invalid-values';
import type { Webhook } from './openapi';
import type { World } from './world';

type Form = Readonly<Record<string, string>>;

const tokens: Readonly<Record<string, string>> = { twilio: 'token of the fuzzed account', simulator: 'simulator' };
const accountSid = 'ACfuzz';
const numbers: Readonly<Record<string, string>> = { twilio: '+14155559191', simulator: '+14155559192' };
/** The limit of a form's size. Longer ones are refused with 413, whatever they contain. */
const longestForm = 64 * 1024;
/** A small set, so that ids occur repeatedly. */
const sids = ['fuzz-1', 'fuzz-2', 'fuzz-3'] as const;

/** A carrier that sends any documented request, with or without a valid signature. */
export class FuzzedCarriers {
  private constructor(
    private readonly baseUrls: () => readonly string[],
    private readonly api: Api,
  ) {}

  static async create(platform: Platform, world: World): Promise<FuzzedCarriers> {
    const { customerApi, workspace } = world;
    const account = { organization_id: workspace.organization_id, provider: 'twilio', account_sid: accountSid };
    await done(customerApi.post('/v1/carrier-credentials', { ...account, auth_token: tokens.twilio }));
    for (const [provider, phone_number] of Object.entries(numbers)) {
      await done(customerApi.post('/v1/numbers', { ...workspace, phone_number, provider }));
    }
    return new FuzzedCarriers(() => platform.baseUrls, customerApi.as(undefined));
  }

  /** Sends a form. Every response is validated against the document; a 5xx is an error here. */
  async ask(path: string, form: Form, signature?: string): Promise<Answer> {
    const body = new URLSearchParams(form);
    const token = tokens[providerOf(path)] ?? '';
    // Always the same gateway, because the signature includes the requested address.
    const signed = [...body].sort(([one], [other]) => (one < other ? -1 : 1)).flat();
    const right = createHmac('sha1', token)
      .update(`${this.baseUrls()[0] ?? ''}${path}${signed.join('')}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signature === '' ? {} : { 'x-twilio-signature': signature ?? right }),
    };
    const answer = await this.api.request('POST', path, { raw: body.toString(), headers });
    if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Generates valid forms of a known account. */
  formsOf(path: string, { form }: Webhook): fc.Arbitrary<Form> {
    return arbitraryOf(form, { hints: hintsFor(path), optional: 'some' }).map((fields) => ({
      ...(fields as Form),
      AccountSid: accountSid,
    }));
  }

  /** Forms with exactly one error, as far as a form can contain it: values in a form are always text. */
  invalidValuesOf(path: string, { form }: Webhook): readonly { readonly what: string; readonly form: Form }[] {
    return invalidValuesOf(form, hintsFor(path)).flatMap(({ what, body }) => {
      const invalid = { ...(body as Form), AccountSid: accountSid };
      const isForm = Object.values(body).every((value) => typeof value === 'string');
      return isForm && new URLSearchParams(invalid).toString().length < longestForm ? [{ what, form: invalid }] : [];
    });
  }
}

const providerOf = (path: string): string => path.split('/')[3] ?? '';

function hintsFor(path: string): Hints {
  const hints: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    AccountSid: fc.constant(accountSid),
    CallSid: fc.constantFrom(...sids),
    MessageSid: fc.constantFrom(...sids),
    CallStatus: fc.constantFrom('ringing', 'in-progress', 'completed', 'busy', 'sunk'),
    To: fc.constantFrom(numbers[providerOf(path)], '+14155550000'),
    From: fc.constantFrom('+14155550001', '+14155550002'),
  };
  return (name) => hints[name];
}

async function done(pending: Promise<Answer>): Promise<void> {
  const { status, body } = await pending;
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
}
