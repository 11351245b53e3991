import { Alert, Group, NumberInput, Select } from '@mantine/core';
import type { KeyCollection } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { agentKeysQuery } from '../../api/reads';
import { write } from '../../api/request';
import { ScopedButton } from '../../parts/scoped-button';
import { t } from '../../text/text';

const none = 'none';

/** A resource of its own, so it has its own save; calls that have begun keep theirs. */
export function Keys({ agentId }: { readonly agentId: string }) {
  const client = useQueryClient();
  const { data, error } = useQuery(agentKeysQuery(agentId));
  const [changed, setChanged] = useState<KeyCollection>();
  const save = useMutation({
    mutationFn: (body: KeyCollection) => write<KeyCollection>('PUT', `/v1/agents/${agentId}/keys`, { body }),
    onSuccess: (saved) => {
      client.setQueryData(agentKeysQuery(agentId).queryKey, saved);
      setChanged(undefined);
    },
  });
  const shown = { ...data, ...changed };
  const set = (part: KeyCollection): void => setChanged({ ...changed, ...part });
  const problem = error ?? save.error;
  return (
    <details>
      <summary>{t('agent.keys')}</summary>
      <NumberInput
        label={t('agent.keys.between')}
        min={1}
        max={10}
        disabled={data === undefined}
        value={shown.between_seconds ?? ''}
        onChange={(next) => typeof next === 'number' && set({ between_seconds: next })}
      />
      <NumberInput
        label={t('agent.keys.digits')}
        placeholder={t('agent.keys.any')}
        min={1}
        max={32}
        allowDecimal={false}
        disabled={data === undefined}
        value={shown.max_digits ?? ''}
        onChange={(next) => set({ max_digits: typeof next === 'number' ? next : null })}
      />
      <Select
        label={t('agent.keys.end')}
        data={['#', '*', { value: none, label: t('agent.keys.noEnd') }]}
        disabled={data === undefined}
        allowDeselect={false}
        value={shown.end_key ?? none}
        onChange={(next) => set({ end_key: next === '#' || next === '*' ? next : null })}
      />
      {problem !== null && (
        <Alert color="red" variant="light" role="alert">
          {problem.message}
        </Alert>
      )}
      <Group mt="sm">
        <ScopedButton
          scope="agents:write"
          variant="default"
          size="xs"
          disabled={changed === undefined || save.isPending}
          onClick={() => save.mutate(shown)}
        >
          {t('agent.keys.save')}
        </ScopedButton>
      </Group>
    </details>
  );
}
