import { translatedBy, type TelephonyConfig } from '../config';
import { DeepLTranslator } from './deepl';
import { NoTranslator } from './none';
import { SimulatedTranslator } from './simulator';
import type { Translator } from './translator';

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
