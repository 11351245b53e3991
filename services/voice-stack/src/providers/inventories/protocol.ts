import type { Voice } from '@parley/contract';

/** A voice as its provider lists it. */
export type ListedVoice = Omit<Voice, 'provider' | 'model' | 'languages'> & {
  /** Undefined: the languages of the model. */
  readonly languages?: readonly string[];
};

/** How to read the voices of a provider, with documented requests that cost nothing. */
export interface InventoryProtocol {
  /** Without a trailing slash; undefined if the account must specify it. */
  readonly baseUrl: string | undefined;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** @param after the `next` of the previous page */
  page(after: string | undefined): string;
  /** @returns undefined if the body is not a page in the documented format */
  read(body: unknown): { readonly voices: readonly ListedVoice[]; readonly next: string | undefined } | undefined;
  /** The path to read a single voice. Undefined: only the list shows which voices exist. */
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

/** The gender as the contract names it; empty for an unknown one. */
export function genderOf(value: unknown): Pick<ListedVoice, 'gender'> {
  const gender = typeof value === 'string' && Object.hasOwn(genders, value) ? genders[value] : undefined;
  return gender === undefined ? {} : { gender };
}

/** The preview URL, if a client may open it. */
export function previewOf(value: unknown): Pick<ListedVoice, 'preview_url'> {
  return typeof value === 'string' && value.startsWith('https://') ? { preview_url: value } : {};
}
