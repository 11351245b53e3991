import type { TranslationOutcome, TranslationRequest, Translator } from './translator';

export interface DeepLOptions {
  readonly apiUrl: string;
  readonly authKey: string;
  readonly timeoutMs: number;
}

/** Maximum of texts per request. */
const textsAtOnce = 50;

/** The language code for DeepL: some target languages require a region, others do not allow one. */
const target = (language: string): string => {
  const [base = '', region = ''] = language.toUpperCase().replace('_', '-').split('-');
  if (base === 'EN') return region === 'GB' ? 'EN-GB' : 'EN-US';
  if (base === 'PT') return region === 'BR' ? 'PT-BR' : 'PT-PT';
  return base;
};

/** Client of DeepL's REST API, version 2. */
export class DeepLTranslator implements Translator {
  readonly name = 'deepl';

  constructor(private readonly options: DeepLOptions) {}

  async translate({ texts, sourceLanguage, targetLanguage }: TranslationRequest): Promise<TranslationOutcome> {
    const translated: string[] = [];
    for (let from = 0; from < texts.length; from += textsAtOnce) {
      const part = await this.part(texts.slice(from, from + textsAtOnce), sourceLanguage, targetLanguage);
      if ('refused' in part) return part;
      translated.push(...part.texts);
    }
    return { texts: translated };
  }

  private async part(
    texts: readonly string[],
    sourceLanguage: string | undefined,
    targetLanguage: string,
  ): Promise<TranslationOutcome> {
    const { apiUrl, authKey, timeoutMs } = this.options;
    const response = await fetch(new URL('/v2/translate', apiUrl), {
      method: 'POST',
      headers: { Authorization: `DeepL-Auth-Key ${authKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        text: texts,
        target_lang: target(targetLanguage),
        ...(sourceLanguage !== undefined && { source_lang: sourceLanguage.split(/[-_]/)[0]?.toUpperCase() }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 429 || response.status >= 500) throw new Error(`the provider returned ${response.status}`);
    if (!response.ok) return { refused: `provider_refused_${response.status}` };
    const given = textsOf(await response.json());
    if (given.length !== texts.length) throw new Error('the provider returned a different number of texts');
    return { texts: given };
  }
}

function textsOf(answer: unknown): string[] {
  const { translations } = answer as { readonly translations?: readonly { readonly text?: unknown }[] };
  return (translations ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}
