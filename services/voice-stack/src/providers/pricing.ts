/**
 * Providers price by token, character or hour; the catalogue states micro-USD a minute of call. The conversions assume a
 * typical telephone conversation: the agent speaks half of the time at 900 characters a minute, and answers four turns a
 * minute, each on a prompt of 2,000 tokens with 60 tokens of answer.
 */
const CHARACTERS_PER_CALL_MINUTE = 450;
const PROMPT_TOKENS_PER_CALL_MINUTE = 8_000;
const ANSWER_TOKENS_PER_CALL_MINUTE = 240;

/** From US dollars an hour of audio. */
export const perHour = (dollars: number): number => Math.round((dollars * 1_000_000) / 60);

/** From US dollars a minute of audio. */
export const perMinute = (dollars: number): number => Math.round(dollars * 1_000_000);

/** From US dollars a million characters of speech. */
export const perMillionCharacters = (dollars: number): number => Math.round(dollars * CHARACTERS_PER_CALL_MINUTE);

/** From US dollars a million tokens in and out. */
export const perMillionTokens = (prompt: number, answer: number): number =>
  Math.round(prompt * PROMPT_TOKENS_PER_CALL_MINUTE + answer * ANSWER_TOKENS_PER_CALL_MINUTE);

/**
 * What each component of the simulator costs. Next to nothing, but not nothing: holds, charges, spend caps and an empty wallet are the same to try
 * without an account as they are with one.
 */
export const simulatorMicros = 10;
