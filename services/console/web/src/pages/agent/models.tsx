import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { catalogueQuery } from '../../api/reads';
import { t } from '../../text/text';
import type { Draft } from './draft';

interface Listed {
  readonly provider: string;
  readonly label: string;
  readonly models: readonly { readonly model: string; readonly label?: string; readonly available?: boolean }[];
}

interface Props {
  readonly model: string;
  readonly transcriber: string;
  readonly change: (part: Partial<Pick<Draft, 'model' | 'transcriber'>>) => void;
}

/** The catalogue's components by provider. A component that no worker supports is a blocker in the preview. */
export function Models({ model, transcriber, change }: Props) {
  const { data } = useQuery(catalogueQuery);
  const groups = (list: unknown, value: string) => {
    const listed = ((list ?? []) as Listed[]).map(({ provider, label, models }) => ({
      group: label,
      items: models.map(({ model, label: name }) => ({ value: `${provider}\n${model}`, label: name ?? model })),
    }));
    const isKnown = listed.some(({ items }) => items.some((item) => item.value === value));
    return isKnown || value === ''
      ? listed
      : [...listed, { group: '', items: [{ value, label: value.replace('\n', ' · ') }] }];
  };
  const common = { searchable: true, allowDeselect: false, comboboxProps: { shadow: 'md' } } as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        {...common}
        label={t('agent.model')}
        data={groups(data?.models, model)}
        value={model}
        onChange={(next) => change({ model: next ?? model })}
      />
      <Select
        {...common}
        label={t('agent.transcriber')}
        data={groups(data?.transcribers, transcriber)}
        value={transcriber}
        onChange={(next) => change({ transcriber: next ?? transcriber })}
      />
    </SimpleGrid>
  );
}
