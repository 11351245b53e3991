import { ActionIcon, CopyButton, Drawer, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useRecentRequests, type RecentRequest } from '../api/recent-requests';
import { t } from '../text/text';
import { asCli, asCurl, asTypescript } from './as-code';

const languages = { curl: asCurl, CLI: asCli, TypeScript: asTypescript } as const;
type Language = keyof typeof languages;

export default function CodeDrawer({ close }: { readonly close: () => void }) {
  const requests = useRecentRequests();
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={t('code.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('code.lead')}
        </Text>
        <SegmentedControl
          data={Object.keys(languages)}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          aria-label={t('code.open')}
        />
        {requests.length === 0 && <Text size="sm">{t('code.empty')}</Text>}
        {requests.map((request, n) => (
          <Snippet key={`${n}-${request.method}-${request.path}`} request={request} write={languages[language]} />
        ))}
      </Stack>
    </Drawer>
  );
}

function Snippet({
  request,
  write,
}: {
  readonly request: RecentRequest;
  readonly write: (request: RecentRequest) => string | undefined;
}) {
  const text = write(request);
  return (
    <figure className="snippet">
      <figcaption>
        <b data-method={request.method}>{request.method}</b> <span>{request.path.split('?', 1)[0]}</span>
        <CopyButton value={text ?? ''}>
          {({ copied, copy }) => (
            <Tooltip label={t(copied ? 'code.copied' : 'code.copy')}>
              <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={t('code.copy')}>
                {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </figcaption>
      {text === undefined ? <p>{t('code.noCommand')}</p> : <pre tabIndex={0}>{text}</pre>}
    </figure>
  );
}
