import { Stack, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly Icon: Icon;
  readonly title: string;
  readonly lead: string;
  readonly tone?: 'bad';
  readonly children?: ReactNode;
}

/** Placeholder for missing content: none yet, no match, or a failed read. */
export function Notice({ Icon, title, lead, tone, children }: Props) {
  return (
    <Stack align="center" gap="sm" className="notice" role={tone === 'bad' ? 'alert' : undefined}>
      <span className="notice-icon" data-tone={tone}>
        <Icon size={26} stroke={1.5} aria-hidden="true" />
      </span>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm" maw={440} ta="center">
        {lead}
      </Text>
      {children}
    </Stack>
  );
}
