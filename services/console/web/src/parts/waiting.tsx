import { Skeleton, Stack } from '@mantine/core';
import { t } from '../text/text';

/** In the shape of the content that is loading. */
export function Waiting({ rows }: { readonly rows: number }) {
  return (
    <Stack gap={6} className="card" p="md" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, n) => (
        <Skeleton key={n} height={38} radius="sm" />
      ))}
    </Stack>
  );
}
