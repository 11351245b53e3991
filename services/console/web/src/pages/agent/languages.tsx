import { MultiSelect } from '@mantine/core';
import { t } from '../../text/text';

/** The most requested languages; others are set by their code over the API. */
const codes = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'no',
  'fi',
  'cs',
  'tr',
  'ja',
  'zh',
  'ko',
  'hi',
  'ar',
  'uk',
  'ro',
  'hu',
  'el',
];
const names = new Intl.DisplayNames(undefined, { type: 'language' });

interface Props {
  readonly languages: readonly string[];
  readonly change: (languages: string[]) => void;
}

export function Languages({ languages, change }: Props) {
  const data = [...new Set([...codes, ...languages])].map((value) => ({ value, label: names.of(value) ?? value }));
  return (
    <MultiSelect
      label={t('agent.languages')}
      description={t('agent.languagesHint')}
      data={data}
      value={[...languages]}
      onChange={change}
      searchable
      maxValues={32}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
