/** Texts of one call or message. */
export interface TranslationRequest {
  readonly texts: readonly string[];
  /** Undefined: the provider detects the language. */
  readonly sourceLanguage: string | undefined;
  readonly targetLanguage: string;
}

export type TranslationOutcome =
  /** One translation per text, in the same order. */
  | { readonly texts: readonly string[] }
  /** Rejected permanently; a retry cannot succeed. */
  | { readonly refused: string };

/** A translation provider. If it throws, the request may be retried. */
export interface Translator {
  readonly name: string;
  translate(request: TranslationRequest): Promise<TranslationOutcome>;
}
