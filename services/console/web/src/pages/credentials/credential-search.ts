import type { Kind } from '@parley/sdk';

export const kinds = ['stt', 'llm', 'tts'] as const satisfies readonly Kind[];
export const testStates = ['accepted', 'refused', 'untested'] as const;
export type TestState = (typeof testStates)[number];

export interface CredentialSearch {
  readonly kind?: Kind;
  readonly test?: TestState;
}

/** Filters of another page, and misspelled ones, are dropped. */
export function credentialSearch({ kind, test }: Record<string, unknown>): CredentialSearch {
  const knownKind = kinds.find((one) => one === kind);
  const knownTest = testStates.find((one) => one === test);
  return { ...(knownKind && { kind: knownKind }), ...(knownTest && { test: knownTest }) };
}
