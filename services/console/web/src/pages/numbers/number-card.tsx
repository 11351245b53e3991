import { Alert, Select } from '@mantine/core';
import type { NumberRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery } from '../../api/reads';
import { send, write } from '../../api/request';
import { Confirm } from '../../parts/confirm';
import { ScopedButton } from '../../parts/scoped-button';
import { absolute } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

interface Props {
  readonly number: NumberRecord;
  readonly trunkName: string | undefined;
}

export function NumberCard({ number, trunkName }: Props) {
  const can = useCan();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const path = `/v1/numbers/${number.number_id}`;
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['numbers'] });
  const save = useMutation({
    mutationFn: (agentId: string | null) => write<NumberRecord>('PATCH', path, { body: { inbound_agent_id: agentId } }),
    onSettled: refresh,
  });
  const release = useMutation({ mutationFn: () => send('DELETE', path), onSuccess: refresh });
  return (
    <li className="card agent-card">
      <div className="agent-card-head">
        <b>{number.phone_number}</b>
        <em className="tag">{number.provider}</em>
      </div>
      <Select
        label={t('numbers.answers')}
        placeholder={t('numbers.noAgent')}
        data={(agents?.data ?? []).map(({ agent_id: value, name }) => ({ value, label: name ?? value }))}
        value={number.inbound_agent_id}
        onChange={(next) => save.mutate(next)}
        disabled={!can('numbers:write') || save.isPending}
        title={can('numbers:write') ? undefined : t('scope.missing', { scope: 'numbers:write' })}
        clearable
      />
      {save.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {save.error.message}
        </Alert>
      )}
      <div className="agent-card-foot">
        <span>
          {number.verified_at === null
            ? t('numbers.unverified')
            : t('numbers.verified', { time: absolute(number.verified_at) })}
        </span>
        {number.sip_trunk_id !== null && <Link to="/trunks">{trunkName ?? number.sip_trunk_id}</Link>}
        <span className="version-actions">
          <ScopedButton
            scope="numbers:write"
            size="xs"
            color="red"
            variant="light"
            aria-label={t('numbers.releaseName', { number: number.phone_number })}
            onClick={() => setAsking(true)}
          >
            {t('numbers.release')}
          </ScopedButton>
        </span>
      </div>
      {isAsking && (
        <Confirm
          title={t('numbers.releaseTitle')}
          lead={t('numbers.releaseLead', { number: number.phone_number })}
          action={t('numbers.releaseNow')}
          isPending={release.isPending}
          error={release.error}
          confirm={() => release.mutate()}
          close={() => setAsking(false)}
        />
      )}
    </li>
  );
}
