import { IconPlus, IconWebhook } from '@tabler/icons-react';
import type { AgentEndpointRecord } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery } from '../../api/reads';
import { Failure } from '../../parts/failure';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { AddEndpoint } from './add-endpoint';

export default function WebhooksPage() {
  const { data, error, refetch } = useQuery(endpointsQuery);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <ScopedButton scope="agents:write" leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
      {t('webhooks.add')}
    </ScopedButton>
  );
  return (
    <Page title={t('webhooks.title')} lead={t('webhooks.lead')} actions={add} wide>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Waiting rows={4} />
      ) : data.data.length === 0 ? (
        <Notice Icon={IconWebhook} title={t('webhooks.empty')} lead={t('webhooks.emptyLead')}>
          {add}
        </Notice>
      ) : (
        <LongList items={data.data} className="agent-cards" label={t('webhooks.title')} height={45}>
          {(endpoint) => <EndpointCard key={endpoint.agent_endpoint_id} endpoint={endpoint} />}
        </LongList>
      )}
      {isAdding && <AddEndpoint close={() => setAdding(false)} />}
    </Page>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: AgentEndpointRecord }) {
  const { agent_endpoint_id: endpointId, name, webhook_url: url, status, events, updated_at: updatedAt } = endpoint;
  return (
    <li className="card agent-card">
      <div className="agent-card-head">
        <Link to="/webhooks/$endpointId" params={{ endpointId }} className="row-link">
          {name ?? endpointId}
        </Link>
        <Status value={status} />
      </div>
      <p>{url}</p>
      <div className="agent-card-foot">
        <span>{t('webhooks.types', { count: events.length })}</span>
        <Ago at={updatedAt} />
      </div>
    </li>
  );
}
