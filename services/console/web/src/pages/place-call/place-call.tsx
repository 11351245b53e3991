import { Alert, Button, Chip, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import type { CallRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { agentsQuery, numbersQuery } from '../../api/reads';
import { once, write } from '../../api/request';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { behaviours, simulator } from './simulator';

interface Props {
  readonly close: () => void;
  readonly agentId?: string;
}

export function PlaceCall({ close, agentId }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const { data: numbers } = useQuery({ ...numbersQuery, enabled: can('numbers:read') });
  const [chosen, setAgent] = useState<string | null>(agentId ?? null);
  const [to, setTo] = useState(simulator(6));
  const [from, setFrom] = useState<string | null>(null);
  const agent = chosen ?? agents?.data[0]?.agent_id ?? null;
  const [key] = useState(once);
  const place = useMutation({
    mutationFn: () =>
      write<CallRecord>('POST', '/v1/calls', {
        body: { agent_id: agent, to: to.replace(/[\s()-]/g, ''), ...(from === null ? {} : { from }) },
        headers: key,
      }),
    onSuccess: (call) => {
      client.setQueryData(['call', call.call_id], call);
      void client.invalidateQueries({ queryKey: ['calls'] });
      close();
      void navigate({ to: '/calls/$callId', params: { callId: call.call_id } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    place.mutate();
  };
  return (
    <Modal opened onClose={close} title={t('place.title')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          {can('agents:read') ? (
            <Select
              label={t('place.agent')}
              data={(agents?.data ?? []).map(({ agent_id: value, name }) => ({ value, label: name ?? value }))}
              value={agent}
              onChange={setAgent}
              nothingFoundMessage={t('place.noAgent')}
              searchable
              required
            />
          ) : (
            <TextInput
              label={t('place.agent')}
              value={agent ?? ''}
              onChange={(event) => setAgent(event.currentTarget.value)}
              required
            />
          )}
          <TextInput
            label={t('place.to')}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            inputMode="tel"
            required
            data-autofocus
          />
          <div>
            <Text size="sm" fw={600}>
              {t('place.simulator')}
            </Text>
            <Text size="xs" c="dimmed" mb={6}>
              {t('place.simulatorLead')}
            </Text>
            <Chip.Group value={to} onChange={(value) => setTo(String(value))}>
              <Group gap={6}>
                {behaviours.map((digit) => (
                  <Chip key={digit} value={simulator(digit)} size="xs" variant="outline">
                    {t(`place.sim.${digit}`)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </div>
          {(numbers?.data.length ?? 0) > 1 && (
            <Select
              label={t('place.from')}
              placeholder={t('place.fromAny')}
              data={numbers?.data.map(({ phone_number: number }) => number) ?? []}
              value={from}
              onChange={setFrom}
              clearable
            />
          )}
          {place.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {place.error.message}
            </Alert>
          )}
          <Button type="submit" loading={place.isPending} disabled={agent === null}>
            {t('place.submit')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
