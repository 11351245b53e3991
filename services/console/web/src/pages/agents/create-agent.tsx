import { Alert, Button, Modal, Stack, TextInput } from '@mantine/core';
import type { AgentView } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { once, write } from '../../api/request';
import { useMe } from '../../session/session';
import { t } from '../../text/text';

export function CreateAgent({ close }: { readonly close: () => void }) {
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [key] = useState(once);
  const create = useMutation({
    mutationFn: () =>
      write<AgentView>('POST', '/v1/agents', {
        body: {
          organization_id: me.organization?.organization_id,
          project_id: me.projects[0]?.project_id,
          mode: 'hosted',
          name,
        },
        headers: key,
      }),
    onSuccess: ({ agent_id: agentId }) => {
      void client.invalidateQueries({ queryKey: ['agents'] });
      void navigate({ to: '/agents/$agentId', params: { agentId } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Modal opened onClose={close} title={t('agents.create')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('start.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            data-autofocus
          />
          {create.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {create.error.message}
            </Alert>
          )}
          <Button type="submit" loading={create.isPending}>
            {t('agents.create')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
