/**
 * Providers price by token, character or hour; the catalogue states micro-USD per minute of a call. The conversions assume a typical telephone conversation:
 * the agent speaks half of the time at 900 characters per minute, and responds to four turns per minute, each with a prompt of 2,000 tokens and a response of
 * 60 tokens.
 */
const CHARACTERS_PER_CALL_MINUTE = 450;
const PROMPT_TOKENS_PER_CALL_MINUTE = 8_000;
const ANSWER_TOKENS_PER_CALL_MINUTE = 240;

/** Converts US dollars per hour of audio. */
export const perHour = (dollars: number): number => Math.round((dollars * 1_000_000) / 60);

/** Converts US dollars per minute of audio. */
export const perMinute = (dollars: number): number => Math.round(dollars * 1_000_000);

/** Converts US dollars per million characters of speech. */
export const perMillionCharacters = (dollars: number): number => Math.round(dollars * CHARACTERS_PER_CALL_MINUTE);

/** Converts US dollars per million input tokens and per million output tokens. */
export const perMillionTokens = (prompt: number, answer: number): number =>
  Math.round(prompt * PROMPT_TOKENS_PER_CALL_MINUTE + answer * ANSWER_TOKENS_PER_CALL_MINUTE);

/**
 * The price of each component of the simulator. It is almost nothing but not zero, so that reservations, charges, spend caps and an empty wallet can be tried
 * without an account.
 */
export const simulatorMicros = 10;
