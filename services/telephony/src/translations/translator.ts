/** Texts of one call or message. */
export interface TranslationRequest {
  readonly texts: readonly string[];
  /** Undefined: the provider detects it. */
  readonly sourceLanguage: string | undefined;
  readonly targetLanguage: string;
}

export type TranslationOutcome =
  /** One per text, in order. */
  | { readonly texts: readonly string[] }
  /** Rejected permanently: do not retry. */
  | { readonly refused: string };

/** A translation provider. Anything it throws may be retried. */
export interface Translator {
  readonly name: string;
  translate(request: TranslationRequest): Promise<TranslationOutcome>;
}
