import { translatedBy, type TelephonyConfig } from '../config';
import { DeepLTranslator } from './deepl';
import type { Translator, TranslationOutcome, TranslationRequest } from './translator';

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

/** Of a deployment that has no translator: every translation fails, and says so. */
export class NoTranslator implements Translator {
  readonly name = 'none';

  translate() {
    return Promise.resolve({ refused: 'no_provider' });
  }
}

const timeoutMs = 20_000;

/** The translator of this deployment. */
export function translatorOf(config: TelephonyConfig): Translator {
  switch (translatedBy(config)) {
    case 'simulator':
      return new SimulatedTranslator();
    case 'none':
      return new NoTranslator();
    case 'deepl':
      return new DeepLTranslator({ apiUrl: config.deeplApiUrl, authKey: config.deeplAuthKey, timeoutMs });
  }
}
