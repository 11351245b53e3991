import { Alert, Button, Select } from '@mantine/core';
import { IconFilterOff, IconPhoneCalling } from '@tabler/icons-react';
import type { NumberRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { agentsQuery, numbersQuery, trunksQuery } from '../../api/reads';
import { write } from '../../api/request';
import { Listed } from '../../parts/listed';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { absolute } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

const route = getRouteApi('/numbers');

export default function NumbersPage() {
  const query = useQuery(numbersQuery);
  const { data: trunks } = useQuery(trunksQuery);
  const { trunk } = route.useSearch();
  const navigate = route.useNavigate();
  const names = new Map(trunks?.data.map(({ sip_trunk_id: id, name }) => [id, name]));
  const options = [...names].map(([value, label]) => ({ value, label }));
  const isUnknown = trunk !== undefined && !names.has(trunk);
  return (
    <Page title={t('numbers.title')} lead={t('numbers.lead')} wide>
      <Listed
        query={query}
        rows={4}
        empty={<Notice Icon={IconPhoneCalling} title={t('numbers.empty')} lead={t('numbers.emptyLead')} />}
      >
        {(numbers) => {
          const shown = numbers.filter(({ sip_trunk_id: id }) => trunk === undefined || id === trunk);
          return (
            <>
              {(options.length > 0 || isUnknown) && (
                <div className="filters" role="search" aria-label={t('numbers.title')}>
                  <Select
                    label={t('numbers.trunk')}
                    placeholder={t('calls.filter.any')}
                    size="xs"
                    clearable
                    data={isUnknown ? [...options, { value: trunk, label: trunk }] : options}
                    value={trunk ?? null}
                    onChange={(next) => void navigate({ search: next === null ? {} : { trunk: next } })}
                  />
                </div>
              )}
              {shown.length === 0 ? (
                <Notice Icon={IconFilterOff} title={t('numbers.noFit')} lead={t('calls.emptyFilteredLead')}>
                  <Button variant="default" onClick={() => void navigate({ search: {} })}>
                    {t('calls.filter.clear')}
                  </Button>
                </Notice>
              ) : (
                <ul className="agent-cards">
                  {shown.map((number) => (
                    <NumberCard
                      key={number.number_id}
                      number={number}
                      trunkName={names.get(number.sip_trunk_id ?? '')}
                    />
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </Listed>
    </Page>
  );
}

interface CardProps {
  readonly number: NumberRecord;
  readonly trunkName: string | undefined;
}

function NumberCard({ number, trunkName }: CardProps) {
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
        {number.sip_trunk_id !== null && <Link to="/trunks">{trunkName ?? number.sip_trunk_id}</Link>}
      </div>
    </li>
  );
}
