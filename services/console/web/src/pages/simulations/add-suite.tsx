import { Button, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { SimulationScenario, SimulationSuite } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { agentsQuery } from '../../api/reads';
import { once, write } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { useCan, useMe } from '../../session/session';
import { t } from '../../text/text';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A suite with its first scenario; more of them, and the other assertions, are written on its page. */
export function AddSuite({ close }: { readonly close: () => void }) {
  const me = useMe();
  const can = useCan();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const [agentId, setAgentId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [scenario, setScenario] = useState('');
  const [turns, setTurns] = useState('');
  const [said, setSaid] = useState('');
  const [key] = useState(once);
  const chosen = agents?.data.find(({ agent_id: id }) => id === agentId);
  const create = useMutation({
    mutationFn: () => {
      const first: SimulationScenario = {
        name: scenario,
        callee: { type: 'script', turns: linesOf(turns) },
        assertions: linesOf(said).map((text) => ({ type: 'said', by: 'agent', text })),
      };
      return write<SimulationSuite>('POST', '/v1/simulation-suites', {
        body: {
          organization_id: me.organization?.organization_id,
          project_id: chosen?.project_id,
          agent_id: agentId,
          name,
          scenarios: [first],
        },
        headers: key,
      });
    },
    onSuccess: ({ simulation_suite_id: suiteId }) => {
      void client.invalidateQueries({ queryKey: ['suites'] });
      void navigate({ to: '/simulations/$suiteId', params: { suiteId } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Modal opened onClose={close} title={t('suites.add')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('webhooks.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
          />
          <Select
            label={t('suites.agent')}
            data={(agents?.data ?? []).map(({ agent_id: value, name: label }) => ({ value, label: label ?? value }))}
            value={agentId}
            onChange={setAgentId}
            searchable
            required
            comboboxProps={{ shadow: 'md' }}
          />
          <TextInput
            label={t('suites.scenario')}
            value={scenario}
            onChange={(event) => setScenario(event.currentTarget.value)}
            required
          />
          <Textarea
            label={t('suites.turns')}
            description={t('suites.turnsHint')}
            value={turns}
            onChange={(event) => setTurns(event.currentTarget.value)}
            autosize
            minRows={3}
            required
          />
          <Textarea
            label={t('suites.said')}
            description={t('suites.saidHint')}
            value={said}
            onChange={(event) => setSaid(event.currentTarget.value)}
            autosize
            minRows={2}
            required
          />
          <Refusal error={create.error} />
          <Button type="submit" loading={create.isPending}>
            {t('suites.add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
