import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import type { ComponentCredentialRecord } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { write } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { t } from '../../text/text';

interface Props {
  readonly path: string;
  readonly name: string;
  readonly close: () => void;
}

/** Calls from now on use the new secret; the earlier one cannot be read back. */
export function ReplaceSecret({ path, name, close }: Props) {
  const client = useQueryClient();
  const [secret, setSecret] = useState('');
  const replace = useMutation({
    mutationFn: () => write<ComponentCredentialRecord>('PATCH', path, { body: { secret } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['credentials'] });
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    replace.mutate();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t('credentials.replace')}
      closeButtonProps={{ 'aria-label': t('close') }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('credentials.replaceLead', { name })}</Text>
          <PasswordInput
            label={t('credentials.secret')}
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('credentials.show') }}
            required
            data-autofocus
          />
          <Refusal error={replace.error} />
          <Button type="submit" loading={replace.isPending}>
            {t('credentials.replace')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
