import { Alert, Select } from '@mantine/core';
import { IconPhoneCalling } from '@tabler/icons-react';
import type { NumberRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { agentsQuery, numbersQuery } from '../../api/reads';
import { write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { absolute } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

export default function NumbersPage() {
  const { data, error, refetch } = useQuery(numbersQuery);
  return (
    <Page title={t('numbers.title')} lead={t('numbers.lead')} wide>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Waiting rows={4} />
      ) : data.data.length === 0 ? (
        <Notice Icon={IconPhoneCalling} title={t('numbers.empty')} lead={t('numbers.emptyLead')} />
      ) : (
        <ul className="agent-cards">
          {data.data.map((number) => (
            <NumberCard key={number.number_id} number={number} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function NumberCard({ number }: { readonly number: NumberRecord }) {
  const can = useCan();
  const client = useQueryClient();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const save = useMutation({
    mutationFn: (agentId: string | null) =>
      write<NumberRecord>('PATCH', `/v1/numbers/${number.number_id}`, { body: { inbound_agent_id: agentId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['numbers'] }),
  });
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
        {number.sip_trunk_id !== null && <span>{number.sip_trunk_id}</span>}
      </div>
    </li>
  );
}
