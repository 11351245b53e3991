import { translatedBy, type TelephonyConfig } from '../../config';
import { DeepLTranslator } from './deepl';
import type { Translator, TranslationOutcome, TranslationRequest } from './translator';

/** The language code for "no linguistic content" (ISO 639-2), for which no translation is possible. */
const nothing = 'zxx';

/** Only prefixes each text with the target language, so that tests can see which text was translated. */
export class SimulatedTranslator implements Translator {
  readonly name = 'simulator';

  async translate({ texts, targetLanguage }: TranslationRequest): Promise<TranslationOutcome> {
    if (targetLanguage.toLowerCase() === nothing) return { refused: 'language_not_supported' };
    return { texts: texts.map((text) => (text === '' ? '' : `[${targetLanguage}] ${text}`)) };
  }
}

/** For deployments without a translation provider: every translation fails with that reason. */
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
