import { Button, Select } from '@mantine/core';
import { IconFilterOff, IconMessages, IconPlus } from '@tabler/icons-react';
import type { SimulationSuite } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery, suitesQuery } from '../../api/reads';
import { Listed } from '../../parts/listed';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Ago } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { AddSuite } from './add-suite';

const route = getRouteApi('/simulations');

export default function SimulationsPage() {
  const can = useCan();
  const query = useQuery(suitesQuery);
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const names = new Map(agents?.data.map(({ agent_id: id, name }) => [id, name ?? id]));
  const add = (
    <ScopedButton scope="simulations:run" leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
      {t('suites.add')}
    </ScopedButton>
  );
  return (
    <Page title={t('suites.title')} lead={t('suites.lead')} actions={add} wide>
      <Listed
        query={query}
        rows={4}
        empty={
          <Notice Icon={IconMessages} title={t('suites.empty')} lead={t('suites.emptyLead')}>
            {add}
          </Notice>
        }
      >
        {(suites) => {
          const tried = [...new Set(suites.map(({ agent_id: id }) => id))];
          const shown = suites.filter(({ agent_id: id }) => agent === undefined || id === agent);
          return (
            <>
              <div className="filters" role="search" aria-label={t('suites.title')}>
                <Select
                  label={t('calls.filter.agent')}
                  placeholder={t('calls.filter.any')}
                  size="xs"
                  clearable
                  data={tried.map((value) => ({ value, label: names.get(value) ?? value }))}
                  value={agent ?? null}
                  onChange={(next) => void navigate({ search: next === null ? {} : { agent: next } })}
                />
              </div>
              {shown.length === 0 ? (
                <Notice Icon={IconFilterOff} title={t('suites.noFit')} lead={t('calls.emptyFilteredLead')}>
                  <Button variant="default" onClick={() => void navigate({ search: {} })}>
                    {t('calls.filter.clear')}
                  </Button>
                </Notice>
              ) : (
                <ul className="agent-cards">
                  {shown.map((suite) => (
                    <SuiteCard
                      key={suite.simulation_suite_id}
                      suite={suite}
                      agent={names.get(suite.agent_id) ?? suite.agent_id}
                    />
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </Listed>
      {isAdding && <AddSuite close={() => setAdding(false)} />}
    </Page>
  );
}

function SuiteCard({ suite, agent }: { readonly suite: SimulationSuite; readonly agent: string }) {
  const { simulation_suite_id: suiteId, name, scenarios, updated_at: updatedAt } = suite;
  return (
    <li className="card agent-card">
      <div className="agent-card-head">
        <Link to="/simulations/$suiteId" params={{ suiteId }} className="row-link">
          {name}
        </Link>
        <em className="tag">{t('suites.scenarios', { count: scenarios.length })}</em>
      </div>
      <p>{scenarios.map((scenario) => scenario.name).join(' · ')}</p>
      <div className="agent-card-foot">
        <span>{agent}</span>
        <Ago at={updatedAt} />
      </div>
    </li>
  );
}
