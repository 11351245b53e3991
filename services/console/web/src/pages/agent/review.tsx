import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { t } from '../../text/text';
import { shownOf, type Draft, type Field } from './draft';
import { usePreview, type PreviewedSettings } from './use-preview';

interface Props {
  readonly from: Draft;
  readonly to: Draft;
  readonly fields: readonly Field[];
  readonly settings: PreviewedSettings;
  readonly version: number;
  readonly isSaving: boolean;
  readonly save: () => void;
  readonly close: () => void;
}

/** The pending changes. */
export function Review({ from, to, fields, settings, version, isSaving, save, close }: Props) {
  const { data: preview } = usePreview(settings);
  const publishes = preview?.publishes === true;
  const isBlocked = publishes && (preview?.blockers.length ?? 0) > 0;
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('agent.reviewTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm">{publishes ? t('agent.publishes', { version: version + 1 }) : t('agent.savesOnly')}</Text>
        {isBlocked && (
          <Alert color="red" variant="light">
            {t('agent.blocked')}
          </Alert>
        )}
        <ul className="changes">
          {fields.map((field) => (
            <li key={field}>
              <code>{t(`agent.field.${field}`)}</code>
              {shownOf(from, field) !== '' && <del>{shownOf(from, field)}</del>}
              {shownOf(to, field) !== '' && <ins>{shownOf(to, field)}</ins>}
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button onClick={save} loading={isSaving} disabled={isBlocked} data-autofocus>
            {publishes ? t('agent.publish', { version: version + 1 }) : t('save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
