import { Tabs } from '@mantine/core';
import { IconMicrophone, IconPhoneCall } from '@tabler/icons-react';
import type { AgentConfiguration } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { configurationQuery } from '../../api/reads';
import { Failure } from '../../parts/failure';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { PlaceCall } from '../place-call/place-call';
import { Editor } from './editor';
import { History } from './history';

const Talk = lazy(() => import('../talk/talk'));
const route = getRouteApi('/agents/$agentId');

export default function AgentPage() {
  const { agentId } = route.useParams();
  const { data, error, refetch } = useQuery(configurationQuery(agentId));
  if (data !== undefined) return <Loaded key={agentId} configuration={data.value} etag={data.etag} />;
  return (
    <Page title={agentId}>{error === null ? <Waiting rows={8} /> : <Failure error={error} retry={refetch} />}</Page>
  );
}

function Loaded({ configuration, etag }: { readonly configuration: AgentConfiguration; readonly etag: string }) {
  const { agent, voice_stack: stack } = configuration;
  const { tab = 'edit' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCalling, setCalling] = useState(false);
  const [isTalking, setTalking] = useState(false);
  const version = stack.language_profiles?.published_version ?? 0;
  return (
    <Page
      wide
      title={agent.name ?? agent.agent_id}
      lead={
        <span className="call-lead">
          <Status value={agent.status} />
          <span>{version === 0 ? t('agents.unpublished') : t('agents.version', { version })}</span>
          <code>{agent.agent_id}</code>
        </span>
      }
      actions={
        <>
          <ScopedButton
            scope="calls:write"
            variant="default"
            leftSection={<IconMicrophone size={17} />}
            onClick={() => {
              setTalking(true);
              void navigate({ search: {}, replace: true });
            }}
          >
            {t('agent.talk')}
          </ScopedButton>
          <ScopedButton
            scope="calls:write"
            variant="light"
            leftSection={<IconPhoneCall size={17} />}
            onClick={() => setCalling(true)}
          >
            {t('agent.call')}
          </ScopedButton>
        </>
      }
    >
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: value === 'history' ? { tab: 'history' } : {}, replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="edit">{t('agent.tab.edit')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('agent.tab.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit" pt="md">
          <Editor configuration={configuration} etag={etag}>
            {isTalking && (
              <Suspense>
                <Talk agentId={agent.agent_id} />
              </Suspense>
            )}
          </Editor>
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <History agentId={agent.agent_id} />
        </Tabs.Panel>
      </Tabs>
      {isCalling && <PlaceCall agentId={agent.agent_id} close={() => setCalling(false)} />}
    </Page>
  );
}
