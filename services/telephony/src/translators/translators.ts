import type { TelephonyConfig } from '../config';
import { DeepLTranslator } from './deepl';
import { SimulatedTranslator } from './simulator';
import type { Translator } from './translator';

const timeoutMs = 20_000;

/** The translator of this deployment; the simulator unless another is configured. */
export function translatorOf({ translationProvider, deeplApiUrl, deeplAuthKey }: TelephonyConfig): Translator {
  if (translationProvider === 'simulator') return new SimulatedTranslator();
  return new DeepLTranslator({ apiUrl: deeplApiUrl, authKey: deeplAuthKey, timeoutMs });
}
