import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { t } from '../../text/text';

/** Shown once: no read returns it. Only this component has it, and it is discarded on close. */
export function NewSecret({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title={t('webhooks.secret')}
      closeButtonProps={{ 'aria-label': t('close') }}
      closeOnClickOutside={false}
      centered
    >
      <Stack>
        <Text size="sm">{t('webhooks.secretLead')}</Text>
        <Code block>{secret}</Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'code.copied' : 'code.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={close} data-autofocus>
            {t('webhooks.secretKept')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
