import type { TranslationOutcome, TranslationRequest, Translator } from './translator';

/** The code for "no linguistic content" (ISO 639-2): there is nothing to translate into. */
const nothing = 'zxx';

/** Puts the language in front of each text and translates nothing: enough to see which text went where. */
export class SimulatedTranslator implements Translator {
  readonly name = 'simulator';

  async translate({ texts, targetLanguage }: TranslationRequest): Promise<TranslationOutcome> {
    if (targetLanguage.toLowerCase() === nothing) return { refused: 'language_not_supported' };
    return { texts: texts.map((text) => (text === '' ? '' : `[${targetLanguage}] ${text}`)) };
  }
}
