import type { Translator } from './translator';

/** Of a deployment that has no translator: every translation fails, and says so. */
export class NoTranslator implements Translator {
  readonly name = 'none';

  translate() {
    return Promise.resolve({ refused: 'no_provider' });
  }
}
