import type { DeliveryControl, Figure, LanguageModel, TranscriberModel, VoiceModel } from '@parley/compilation';
import { Closed, ListOf, Nested, Nullable, Optional, Required, Rule, Text, limits, validate } from '@parley/contract';
import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { deliveryProfiles } from './delivery';

/**
 * Vendors price by token, character or hour; the catalogue states micro-USD per minute of a call. The conversions assume a typical telephone conversation: the
 * agent speaks half of the time at 900 characters per minute, and responds to four turns per minute, each with a prompt of 2,000 tokens and a response of 60.
 */
const perCallMinute = {
  hour: 1 / 60,
  minute: 1,
  minute_of_speech: 1 / 2,
  million_characters: 450 / 1_000_000,
  million_tokens: 8_000 / 1_000_000,
};
const ANSWER_TOKENS = 240 / 1_000_000;

const languageCodes = {
  max: 4_000,
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*( [A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)*$/,
  description: 'language codes, separated by spaces',
};
const figures = ['cost_micros_per_minute', 'latency_ms', 'candidate_limit'] as const satisfies readonly Figure[];

@Closed()
class Price {
  @Required() @IsIn(Object.keys(perCallMinute)) per!: keyof typeof perCallMinute;
  @Required() @IsNumber() @Min(0) @Max(100_000) usd!: number;
  /** For tokens: of the response, whose tokens cost more than those of the prompt. */
  @Optional() @IsNumber() @Min(0) @Max(100_000) usd_answer?: number;
}

/** What unlisted models share. */
@Closed()
class Entry {
  /** Separated by spaces; null: any language. */
  @Required() @Nullable() @Text(languageCodes) languages!: string | null;
  @Optional() @Nested(() => Price) price?: Price;
  /** In place of `price`, in micro-USD. */
  @Optional() @IsInt() @Min(0) @Max(100_000_000) micros_per_minute?: number;
  /** Absent, and no price: unknown. */
  @Optional() @IsInt() @Min(1) @Max(60_000) latency_ms?: number;
  @Optional() @IsArray() @IsIn(figures, { each: true }) estimated?: Figure[];
}

/** What a listed model has in addition to what the others of its kind have. */
const needsFigures = (model: Entry): string | undefined =>
  model.price === undefined && model.micros_per_minute === undefined
    ? 'price is required'
    : model.latency_ms === undefined
      ? 'latency_ms is required'
      : undefined;

class TranscriberEntry extends Entry {
  @Optional() @Text(languageCodes) followed_languages?: string;
  @Required() @IsBoolean() fast_words!: boolean;
  @Required() @IsInt() @Min(1) @Max(32) candidate_limit!: number;
}
class VoiceEntry extends Entry {
  @Required() @IsIn(Object.keys(deliveryProfiles)) delivery!: DeliveryControl;
  @Optional() @Text(limits.voiceId) default_voice_id?: string;
  /** Voices that every account has, separated by spaces. */
  @Optional() @Text({ min: 1, max: 4_000 }) known_voices?: string;
}

@Closed()
@Rule(needsFigures)
class ListedTranscriber extends TranscriberEntry {
  @Required() @Text(limits.model) model!: string;
}
@Closed()
@Rule(needsFigures)
class ListedModel extends Entry {
  @Required() @Text(limits.model) model!: string;
}
@Closed()
@Rule(needsFigures)
class ListedVoice extends VoiceEntry {
  @Required() @Text(limits.model) model!: string;
}

class Offer {
  @Required() @Text({ min: 1, max: 100 }) label!: string;
}
@Closed()
class Transcribers extends Offer {
  /** What holds for models that are not listed. Absent: they are refused. */
  @Optional() @Nested(() => TranscriberEntry) unlisted?: TranscriberEntry;
  @Required() @ListOf(() => ListedTranscriber) models!: ListedTranscriber[];
}
@Closed()
class Models extends Offer {
  @Optional() @Nested(() => Entry) unlisted?: Entry;
  @Required() @ListOf(() => ListedModel) models!: ListedModel[];
}
@Closed()
class Voices extends Offer {
  @Optional() @Nested(() => VoiceEntry) unlisted?: VoiceEntry;
  @Required() @ListOf(() => ListedVoice) models!: ListedVoice[];
}

@Closed()
class Source {
  @Required() @IsIn(['prices', 'languages', 'latency']) of!: string;
  @Required() @Text({ min: 1, max: 500 }) url!: string;
  /** The month in which the page was read. */
  @Required() @Text({ pattern: /^\d{4}-\d{2}$/, description: 'a month, such as 2026-11' }) date!: string;
}

/** The data of one vendor. */
@Closed()
class VendorFile {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @IsBoolean() requires_account!: boolean;
  /** Whether the server defines the models, so that unlisted ones are as usual as listed ones. */
  @Optional() @IsBoolean() any_model?: boolean;
  @Optional() @ListOf(() => Source) sources?: Source[];
  @Optional() @Nested(() => Transcribers) transcribers?: Transcribers;
  @Optional() @Nested(() => Models) models?: Models;
  @Optional() @Nested(() => Voices) voices?: Voices;
}

export interface VendorOffer<Model> {
  readonly label: string;
  readonly unlisted?: Omit<Model, 'model'>;
  readonly models: readonly Model[];
}

/** The data of one vendor in the form of the catalogue. */
export interface Vendor extends Pick<VendorFile, 'provider' | 'requires_account' | 'any_model'> {
  readonly transcribers?: VendorOffer<TranscriberModel>;
  readonly models?: VendorOffer<LanguageModel>;
  readonly voices?: VendorOffer<VoiceModel>;
}

const listOf = (text: string | null): readonly string[] | null => (text === null ? null : text.split(' '));

function figuresOf({ languages, price, micros_per_minute, latency_ms, estimated = [] }: Entry) {
  const usd = price && price.usd * perCallMinute[price.per] + (price.usd_answer ?? 0) * ANSWER_TOKENS;
  const known = usd === undefined ? micros_per_minute : Math.round(usd * 1_000_000);
  return {
    languages: listOf(languages),
    cost_micros_per_minute: known ?? 0,
    latency_ms: latency_ms ?? 0,
    estimated,
    ...((known === undefined || latency_ms === undefined) && { unknown: true }),
  };
}

const transcriberOf = (entry: TranscriberEntry): Omit<TranscriberModel, 'model'> => ({
  ...figuresOf(entry),
  ...(entry.followed_languages !== undefined && { followed_languages: entry.followed_languages.split(' ') }),
  fast_words: entry.fast_words,
  candidate_limit: entry.candidate_limit,
});
const voiceOf = (entry: VoiceEntry): Omit<VoiceModel, 'model'> => ({
  ...figuresOf(entry),
  default_voice_id: entry.default_voice_id ?? null,
  ...(entry.known_voices !== undefined && { known_voices: entry.known_voices.split(' ') }),
  delivery_control: entry.delivery,
  delivery_profiles: deliveryProfiles[entry.delivery],
});

function offerOf<Of extends Entry, Model extends { model: string }>(
  offer: { label: string; unlisted?: Of; models: readonly (Of & { model: string })[] } | undefined,
  convert: (entry: Of) => Omit<Model, 'model'>,
): VendorOffer<Model> | undefined {
  if (offer === undefined) return undefined;
  const { label, unlisted, models } = offer;
  return {
    label,
    ...(unlisted !== undefined && { unlisted: convert(unlisted) }),
    models: models.map((entry) => ({ ...convert(entry), model: entry.model }) as Model),
  };
}

/** @throws AppError BadRequestError naming every field at fault */
export function vendorOf(file: unknown): Vendor {
  const { value } = validate(VendorFile, file);
  const { provider, requires_account, any_model } = value;
  return {
    provider,
    requires_account,
    any_model,
    transcribers: offerOf(value.transcribers, transcriberOf),
    models: offerOf(value.models, figuresOf),
    voices: offerOf(value.voices, voiceOf),
  };
}
