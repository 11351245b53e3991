import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import type { AgentView, NumberRecord, SipTrunkRecord } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { once, write } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { useMe } from '../../session/session';
import { t, word } from '../../text/text';

interface Props {
  readonly agents: readonly AgentView[];
  readonly trunks: readonly SipTrunkRecord[];
  readonly close: () => void;
}

const providers = ['simulator', 'sip_trunk', 'twilio'] as const;

/** A number that the project has: it is not bought here. */
export function AddNumber({ agents, trunks, close }: Props) {
  const me = useMe();
  const client = useQueryClient();
  const [draft, setDraft] = useState({
    phone_number: '',
    provider: 'simulator',
    project_id: me.projects[0]?.project_id ?? '',
    sip_trunk_id: trunks[0]?.sip_trunk_id ?? null,
    inbound_agent_id: null as string | null,
  });
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part });
  const [key] = useState(once);
  const isTrunk = draft.provider === 'sip_trunk';
  const add = useMutation({
    mutationFn: () =>
      write<NumberRecord>('POST', '/v1/numbers', {
        body: {
          organization_id: me.organization?.organization_id,
          ...draft,
          phone_number: draft.phone_number.replace(/[\s()-]/g, ''),
          sip_trunk_id: isTrunk ? draft.sip_trunk_id : undefined,
        },
        headers: key,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['numbers'] });
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Modal opened onClose={close} title={t('numbers.add')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('numbers.number')}
            description={t('numbers.numberHint')}
            placeholder={t('calls.filter.number')}
            type="tel"
            value={draft.phone_number}
            onChange={(event) => change({ phone_number: event.currentTarget.value })}
            required
            data-autofocus
          />
          <Select
            label={t('numbers.provider')}
            description={word('providerHint', draft.provider)}
            data={providers.map((value) => ({ value, label: word('provider', value) }))}
            value={draft.provider}
            onChange={(provider) => change({ provider: provider ?? draft.provider })}
            allowDeselect={false}
          />
          {isTrunk && (
            <Select
              label={t('numbers.trunk')}
              placeholder={t('trunks.empty')}
              data={trunks.map(({ sip_trunk_id: value, name }) => ({ value, label: name }))}
              value={draft.sip_trunk_id}
              onChange={(id) => change({ sip_trunk_id: id })}
              allowDeselect={false}
              required
            />
          )}
          {me.projects.length > 1 && (
            <Select
              label={t('group.project_id')}
              data={me.projects.map(({ project_id: value, name }) => ({ value, label: name }))}
              value={draft.project_id}
              onChange={(id) => change({ project_id: id ?? draft.project_id })}
              allowDeselect={false}
            />
          )}
          <Select
            label={t('numbers.answers')}
            placeholder={t('numbers.noAgent')}
            data={agents.map(({ agent_id: value, name }) => ({ value, label: name ?? value }))}
            value={draft.inbound_agent_id}
            onChange={(id) => change({ inbound_agent_id: id })}
            clearable
          />
          <Refusal error={add.error} />
          <Button type="submit" loading={add.isPending}>
            {t('numbers.add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
