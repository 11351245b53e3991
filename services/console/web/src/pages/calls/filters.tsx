import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { agentsQuery } from '../../api/reads';
import { useCan } from '../../session/session';
import { t, word } from '../../text/text';
import { callStatuses, type CallSearch } from './call-filters';

interface Props {
  readonly search: CallSearch;
  readonly change: (next: CallSearch) => void;
}

const spans = [
  { value: 'hour', label: t('calls.since.hour') },
  { value: 'day', label: t('calls.since.day') },
  { value: 'week', label: t('calls.since.week') },
];

export function Filters({ search, change }: Props) {
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const set = (part: Partial<Record<keyof CallSearch, string | null | undefined>>): void => {
    const next = Object.entries({ ...search, ...part }).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    );
    change(Object.fromEntries(next));
  };
  const common = {
    placeholder: t('calls.filter.any'),
    clearable: true,
    size: 'xs',
    comboboxProps: { shadow: 'md' },
  } as const;
  const known = spans.some(({ value }) => value === search.since);
  const sinceData =
    search.since === undefined || known ? spans : [...spans, { value: search.since, label: search.since }];
  return (
    <div className="filters" role="search" aria-label={t('calls.title')}>
      <Select
        {...common}
        label={t('calls.filter.status')}
        data={callStatuses.map((value) => ({ value, label: word('status', value) }))}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
      />
      <Select
        {...common}
        label={t('calls.filter.direction')}
        data={[
          { value: 'outbound', label: t('call.outbound') },
          { value: 'inbound', label: t('call.inbound') },
        ]}
        value={search.direction ?? null}
        onChange={(direction) => set({ direction })}
      />
      <Select
        {...common}
        label={t('calls.filter.agent')}
        searchable
        data={(agents?.data ?? []).map(({ agent_id: value, name }) => ({ value, label: name ?? value }))}
        value={search.agent ?? null}
        onChange={(agent) => set({ agent })}
      />
      <Select
        {...common}
        label={t('calls.filter.since')}
        data={sinceData}
        value={search.since ?? null}
        onChange={(since) => set({ since })}
      />
      <NumberFilter label={t('calls.filter.from')} value={search.from ?? ''} change={(from) => set({ from })} />
      <NumberFilter label={t('calls.filter.to')} value={search.to ?? ''} change={(to) => set({ to })} />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" size="xs" color="gray" onClick={() => change({})}>
          {t('calls.filter.clear')}
        </Button>
      )}
    </div>
  );
}

/** Only whole numbers are valid: applied when complete, or at Enter. */
function NumberFilter({
  label,
  value,
  change,
}: {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (): void => {
    const number = text.replace(/[\s()-]/g, '');
    if (number !== value) change(number);
  };
  return (
    <TextInput
      size="xs"
      label={label}
      placeholder={t('calls.filter.number')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
    />
  );
}
