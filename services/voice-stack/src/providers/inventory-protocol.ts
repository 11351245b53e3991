import type { Voice } from '@parley/contract';

/** A voice as its provider lists it. */
export type ListedVoice = Omit<Voice, 'provider' | 'model' | 'languages'> & {
  /** Undefined: those of the model. */
  readonly languages?: readonly string[];
};

/** How a provider's voices are read: documented reads that cost nothing. */
export interface InventoryProtocol {
  /** Without a slash at the end; undefined where the account must name it. */
  readonly baseUrl: string | undefined;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** @param after the `next` of the previous page */
  page(after: string | undefined): string;
  /** @returns undefined if it is not a page in the documented format */
  read(body: unknown): { readonly voices: readonly ListedVoice[]; readonly next: string | undefined } | undefined;
  /** The read of one voice; undefined: the list is no proof of what there is. */
  readonly one?: (voiceId: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const genders: Readonly<Record<string, Voice['gender']>> = {
  female: 'female',
  feminine: 'female',
  male: 'male',
  masculine: 'male',
  neutral: 'neutral',
  gender_neutral: 'neutral',
};

/** As the contract names it; nothing for what it does not know. */
export function genderOf(value: unknown): Pick<ListedVoice, 'gender'> {
  const gender = typeof value === 'string' && Object.hasOwn(genders, value) ? genders[value] : undefined;
  return gender === undefined ? {} : { gender };
}

/** An address that a client may open. */
export function previewOf(value: unknown): Pick<ListedVoice, 'preview_url'> {
  return typeof value === 'string' && value.startsWith('https://') ? { preview_url: value } : {};
}
