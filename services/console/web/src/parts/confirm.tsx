import { Button, Modal, Stack, Text } from '@mantine/core';
import { t } from '../text/text';
import { Refusal } from './refusal';

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly confirm: () => void;
  readonly close: () => void;
}

/** A second question before something that cannot be taken back. */
export function Confirm({ title, lead, action, isPending, error, confirm, close }: Props) {
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <Stack>
        <Text size="sm">{lead}</Text>
        <Refusal error={error} />
        <Button color="red" loading={isPending} onClick={confirm} data-autofocus>
          {action}
        </Button>
      </Stack>
    </Modal>
  );
}
