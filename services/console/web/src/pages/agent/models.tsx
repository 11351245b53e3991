import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogueQuery } from '../../api/reads';
import { t } from '../../text/text';
import type { Draft } from './draft';

interface Listed {
  readonly provider: string;
  readonly label: string;
  /** What holds for models that are not listed; absent if they cannot be used. */
  readonly unlisted?: object;
  readonly models: readonly { readonly model: string; readonly label?: string; readonly available?: boolean }[];
}

interface Props {
  readonly model: string;
  readonly transcriber: string;
  readonly change: (part: Partial<Pick<Draft, 'model' | 'transcriber'>>) => void;
}

/** The catalogue's components by provider. What is typed may also be the name of an unlisted model, which the preview warns about. */
export function Models({ model, transcriber, change }: Props) {
  const { data } = useQuery(catalogueQuery);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Choice label={t('agent.model')} list={data?.models} value={model} change={(next) => change({ model: next })} />
      <Choice
        label={t('agent.transcriber')}
        list={data?.transcribers}
        value={transcriber}
        change={(next) => change({ transcriber: next })}
      />
    </SimpleGrid>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly list: unknown;
  readonly value: string;
  readonly change: (value: string) => void;
}

function Choice({ label, list, value, change }: ChoiceProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const listed = ((list ?? []) as Listed[]).map(({ provider, label: group, unlisted, models }) => {
    const items = models.map((one) => ({ value: `${provider}\n${one.model}`, label: one.label ?? one.model }));
    const known = name === '' || items.some((item) => item.label === name);
    return {
      group,
      items:
        known || unlisted === undefined
          ? items
          : [...items, { value: `${provider}\n${name}`, label: t('agent.unlisted', { name }) }],
    };
  });
  const isKnown = value === '' || listed.some(({ items }) => items.some((item) => item.value === value));
  const chosen = { group: '', items: [{ value, label: value.replace('\n', ' · ') }] };
  return (
    <Select
      searchable
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
      label={label}
      data={isKnown ? listed : [...listed, chosen]}
      value={value}
      onSearchChange={setTyped}
      onChange={(next) => change(next ?? value)}
    />
  );
}
