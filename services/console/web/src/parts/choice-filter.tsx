import { Select } from '@mantine/core';
import { t, word } from '../text/text';

interface Props<T extends string> {
  readonly label: string;
  /** The translation group that has the texts of the values. */
  readonly group: string;
  readonly values: readonly T[];
  readonly value: T | undefined;
  readonly change: (next: T | undefined) => void;
}

/** A filter with a few values, or none. */
export function ChoiceFilter<T extends string>({ label, group, values, value, change }: Props<T>) {
  return (
    <Select
      label={label}
      placeholder={t('calls.filter.any')}
      size="xs"
      clearable
      comboboxProps={{ shadow: 'md' }}
      data={values.map((one) => ({ value: one, label: word(group, one) }))}
      value={value ?? null}
      onChange={(next) => change(next ?? undefined)}
    />
  );
}
