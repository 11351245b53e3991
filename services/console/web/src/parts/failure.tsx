import { Button, Code, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { ApiError } from '../api/request';
import { t } from '../text/text';
import { Notice } from './notice';

export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice Icon={IconCloudOff} title={t('error.title')} lead={error.message} tone="bad">
      {retry !== undefined && (
        <Button variant="default" onClick={() => void retry()}>
          {t('error.retry')}
        </Button>
      )}
      {requestId !== undefined && (
        <Text size="xs" c="dimmed">
          {t('error.request', { id: '' })}
          <Code>{requestId}</Code>
        </Text>
      )}
    </Notice>
  );
}
