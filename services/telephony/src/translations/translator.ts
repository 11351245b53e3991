/** Texts of one call or message. */
export interface TranslationRequest {
  readonly texts: readonly string[];
  /** Undefined: the provider finds out. */
  readonly sourceLanguage: string | undefined;
  readonly targetLanguage: string;
}

export type TranslationOutcome =
  /** One a text, in their order. */
  | { readonly texts: readonly string[] }
  /** It will never translate this. */
  | { readonly refused: string };

/** Who translates. What it throws may be tried again. */
export interface Translator {
  readonly name: string;
  translate(request: TranslationRequest): Promise<TranslationOutcome>;
}
