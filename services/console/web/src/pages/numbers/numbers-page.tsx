import { Button, Select } from '@mantine/core';
import { IconFilterOff, IconPhoneCalling, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery, numbersQuery, trunksQuery } from '../../api/reads';
import { Listed } from '../../parts/listed';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { AddNumber } from './add-number';
import { NumberCard } from './number-card';

const route = getRouteApi('/numbers');

export default function NumbersPage() {
  const query = useQuery(numbersQuery);
  const can = useCan();
  const { data: trunks } = useQuery(trunksQuery);
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const [isAdding, setAdding] = useState(false);
  const { trunk } = route.useSearch();
  const navigate = route.useNavigate();
  const names = new Map(trunks?.data.map(({ sip_trunk_id: id, name }) => [id, name]));
  const options = [...names].map(([value, label]) => ({ value, label }));
  const isUnknown = trunk !== undefined && !names.has(trunk);
  const add = (
    <ScopedButton scope="numbers:write" leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
      {t('numbers.add')}
    </ScopedButton>
  );
  return (
    <Page title={t('numbers.title')} lead={t('numbers.lead')} actions={add} wide>
      <Listed
        query={query}
        rows={4}
        empty={
          <Notice Icon={IconPhoneCalling} title={t('numbers.empty')} lead={t('numbers.emptyLead')}>
            {add}
          </Notice>
        }
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
                <LongList items={shown} className="agent-cards" label={t('numbers.title')} height={60}>
                  {(number) => (
                    <NumberCard
                      key={number.number_id}
                      number={number}
                      trunkName={names.get(number.sip_trunk_id ?? '')}
                    />
                  )}
                </LongList>
              )}
            </>
          );
        }}
      </Listed>
      {isAdding && <AddNumber agents={agents?.data ?? []} trunks={trunks?.data ?? []} close={() => setAdding(false)} />}
    </Page>
  );
}
