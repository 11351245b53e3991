import { NumberInput, Select } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { SimulationRun, SimulationTarget } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { once, write } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { ScopedButton } from '../../parts/scoped-button';
import { t, word } from '../../text/text';

const targets = ['published', 'draft', 'version'] as const satisfies readonly SimulationTarget['type'][];

interface Props {
  readonly suiteId: string;
  readonly begun: (runId: string) => void;
}

/** Runs the suite against what calls use now, what is being written, or an earlier version. */
export function RunForm({ suiteId, begun }: Props) {
  const client = useQueryClient();
  const [type, setType] = useState<SimulationTarget['type']>('published');
  const [version, setVersion] = useState(1);
  const [repetitions, setRepetitions] = useState(1);
  const run = useMutation({
    mutationFn: () =>
      write<SimulationRun>('POST', `/v1/simulation-suites/${suiteId}/runs`, {
        body: { repetitions, target: type === 'version' ? { type, version } : { type } },
        headers: once(),
      }),
    onSuccess: async ({ simulation_run_id: runId }) => {
      await client.invalidateQueries({ queryKey: ['suite', suiteId, 'runs'] });
      begun(runId);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <form className="card section run-form" aria-label={t('runs.begin')} onSubmit={submit}>
      <Select
        label={t('runs.target')}
        size="sm"
        data={targets.map((value) => ({ value, label: word('runTarget', value) }))}
        value={type}
        onChange={(next) => setType(next ?? 'published')}
        allowDeselect={false}
      />
      {type === 'version' && (
        <NumberInput
          label={t('runs.version')}
          size="sm"
          min={1}
          value={version}
          onChange={(next) => setVersion(Number(next))}
          maw={110}
        />
      )}
      <NumberInput
        label={t('runs.repetitions')}
        size="sm"
        min={1}
        max={500}
        value={repetitions}
        onChange={(next) => setRepetitions(Number(next))}
        maw={130}
      />
      <ScopedButton
        scope="simulations:run"
        type="submit"
        leftSection={<IconPlayerPlay size={17} />}
        loading={run.isPending}
      >
        {t('runs.begin')}
      </ScopedButton>
      <Refusal error={run.error} />
    </form>
  );
}
