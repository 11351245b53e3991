import { Group, TextInput } from '@mantine/core';
import { IconPlus, IconRobot, IconSearch } from '@tabler/icons-react';
import type { AgentView } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery } from '../../api/reads';
import { Failure } from '../../parts/failure';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t, word } from '../../text/text';
import { CreateAgent } from './create-agent';

const route = getRouteApi('/agents');

export default function AgentsPage() {
  const { data, error, refetch } = useQuery(agentsQuery);
  const { name = '' } = route.useSearch();
  const navigate = route.useNavigate();
  // The address follows the field, whose text must not wait for the router.
  const [wanted, setWanted] = useState(name);
  const find = (text: string): void => {
    setWanted(text);
    void navigate({ search: text === '' ? {} : { name: text }, replace: true });
  };
  const [isCreating, setCreating] = useState(false);
  const create = (
    <ScopedButton scope="agents:write" leftSection={<IconPlus size={17} />} onClick={() => setCreating(true)}>
      {t('agents.create')}
    </ScopedButton>
  );
  const agents = data?.data.filter(({ name: own, agent_id: id }) =>
    `${own ?? ''} ${id}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <Page title={t('agents.title')} lead={t('agents.lead')} actions={create} wide>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={refetch} />
      ) : agents === undefined ? (
        <Waiting rows={5} />
      ) : data?.data.length === 0 ? (
        <Notice Icon={IconRobot} title={t('agents.empty')} lead={t('agents.emptyLead')}>
          {create}
        </Notice>
      ) : (
        <>
          <Group>
            <TextInput
              aria-label={t('agents.search')}
              placeholder={t('agents.search')}
              leftSection={<IconSearch size={16} aria-hidden="true" />}
              value={wanted}
              onChange={(event) => find(event.currentTarget.value)}
              w={280}
            />
          </Group>
          <LongList items={agents} className="agent-cards" label={t('agents.title')} height={60}>
            {(agent) => <AgentCard key={agent.agent_id} agent={agent} />}
          </LongList>
        </>
      )}
      {isCreating && <CreateAgent close={() => setCreating(false)} />}
    </Page>
  );
}

function AgentCard({ agent }: { readonly agent: AgentView }) {
  const { published_version: version, languages } = agent.voice_stack;
  return (
    <li className="card agent-card">
      <div className="agent-card-head">
        <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }} className="row-link">
          {agent.name ?? agent.agent_id}
        </Link>
        <Status value={agent.status} />
      </div>
      <p>{agent.system_prompt ?? t('agents.noPrompt')}</p>
      <div className="agent-card-foot">
        <span>{version === 0 ? t('agents.unpublished') : t('agents.version', { version })}</span>
        {languages.length > 0 && <span>{languages.join(', ')}</span>}
        <span>{word('mode', agent.mode)}</span>
        <Ago at={agent.updated_at} />
      </div>
    </li>
  );
}
