import { Alert, Button, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import type { AgentEndpointCreated } from '@parley/sdk';
import { eventTypes } from '@parley/sdk/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { once, write } from '../../api/request';
import { useMe } from '../../session/session';
import { t } from '../../text/text';
import { NewSecret } from './new-secret';

/** An endpoint for which no events are chosen receives the contract's default events. */
export function AddEndpoint({ close }: { readonly close: () => void }) {
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [webhook, setWebhook] = useState('');
  const [audio, setAudio] = useState('');
  const [events, setEvents] = useState<string[]>([]);
  const [key] = useState(once);
  const create = useMutation({
    mutationFn: () =>
      write<AgentEndpointCreated>('POST', '/v1/agent-endpoints', {
        body: {
          organization_id: me.organization?.organization_id,
          project_id: me.projects[0]?.project_id,
          ...(name !== '' && { name }),
          webhook_url: webhook,
          audio_stream_url: audio,
          ...(events.length > 0 && { events }),
        },
        headers: key,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  const made = create.data;
  const leave = (): void => {
    close();
    if (made !== undefined)
      void navigate({ to: '/webhooks/$endpointId', params: { endpointId: made.agent_endpoint_id } });
  };
  if (made?.secret !== undefined) return <NewSecret secret={made.secret} close={leave} />;
  return (
    <Modal opened onClose={leave} title={t('webhooks.add')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('webhooks.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            data-autofocus
          />
          <TextInput
            label={t('webhooks.url')}
            description={t('webhooks.urlHint')}
            value={webhook}
            onChange={(event) => setWebhook(event.currentTarget.value)}
            required
          />
          <TextInput
            label={t('webhooks.audio')}
            description={t('webhooks.audioHint')}
            value={audio}
            onChange={(event) => setAudio(event.currentTarget.value)}
            required
          />
          <MultiSelect
            label={t('webhooks.events')}
            description={t('webhooks.eventsHint')}
            data={[...eventTypes]}
            value={events}
            onChange={setEvents}
            searchable
            clearable
          />
          {create.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {create.error.message}
            </Alert>
          )}
          <Button type="submit" loading={create.isPending}>
            {t('webhooks.add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
