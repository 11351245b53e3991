import { Alert, Select } from '@mantine/core';
import { IconArrowLeft, IconKey, IconRefresh, IconSend } from '@tabler/icons-react';
import type { AgentEndpointCreated, AgentEndpointRecord, DeliverySummary, RecoveryRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointQuery } from '../../api/reads';
import { once, write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { absolute } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t, word } from '../../text/text';
import { NewSecret } from '../webhooks/new-secret';
import { Deliveries } from './deliveries';
import { deliveryStatuses } from './delivery-search';
import { Recoveries } from './recoveries';

const route = getRouteApi('/webhooks/$endpointId');
/** The range of a recovery: deliveries are kept for 30 days. */
const monthMs = 30 * 86_400_000;

export default function WebhookPage() {
  const { endpointId } = route.useParams();
  const { data, error, refetch } = useQuery(endpointQuery(endpointId));
  if (data !== undefined) return <Loaded key={endpointId} endpoint={data} />;
  return (
    <Page title={endpointId}>{error === null ? <Waiting rows={6} /> : <Failure error={error} retry={refetch} />}</Page>
  );
}

function Loaded({ endpoint }: { readonly endpoint: AgentEndpointRecord }) {
  const id = endpoint.agent_endpoint_id;
  const path = `/v1/agent-endpoints/${id}`;
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['endpoint', id] });
  const [secret, setSecret] = useState<string | undefined>();
  const test = useMutation({
    mutationFn: () => write<DeliverySummary>('POST', `${path}/test`, { headers: once() }),
    onSuccess: refresh,
  });
  const recover = useMutation({
    mutationFn: () =>
      write<RecoveryRecord>('POST', `${path}/recover`, {
        body: { since: new Date(Date.now() - monthMs).toISOString() },
        headers: once(),
      }),
    onSuccess: refresh,
  });
  const rotate = useMutation({
    mutationFn: () => write<AgentEndpointCreated>('POST', `${path}/rotate-secret`, { body: {} }),
    onSuccess: (made) => setSecret(made.secret),
  });
  const error = test.error ?? recover.error ?? rotate.error;
  return (
    <Page
      wide
      title={endpoint.name ?? id}
      lead={
        <span className="call-lead">
          <Status value={endpoint.status} />
          <span>{endpoint.webhook_url}</span>
          <time dateTime={endpoint.created_at}>{absolute(endpoint.created_at)}</time>
        </span>
      }
      actions={
        <>
          <Link to="/webhooks" className="back">
            <IconArrowLeft size={16} aria-hidden="true" />
            {t('webhooks.back')}
          </Link>
          <ScopedButton
            scope="agents:write"
            variant="default"
            leftSection={<IconKey size={17} />}
            loading={rotate.isPending}
            onClick={() => rotate.mutate()}
          >
            {t('webhooks.rotate')}
          </ScopedButton>
          <ScopedButton
            scope="agents:write"
            variant="default"
            leftSection={<IconRefresh size={17} />}
            loading={recover.isPending}
            onClick={() => recover.mutate()}
          >
            {t('webhooks.recover')}
          </ScopedButton>
          <ScopedButton
            scope="agents:write"
            leftSection={<IconSend size={17} />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            {t('webhooks.test')}
          </ScopedButton>
        </>
      }
    >
      {error !== null && (
        <Alert color="red" variant="light" role="alert">
          {error.message}
        </Alert>
      )}
      {endpoint.status === 'parked' && (
        <Alert color="yellow" variant="light" role="status">
          {t('webhooks.parked')}
        </Alert>
      )}
      <section className="card section">
        <dl className="pairs">
          <div>
            <dt>{t('webhooks.audio')}</dt>
            <dd>{endpoint.audio_stream_url}</dd>
          </div>
          <div>
            <dt>{t('webhooks.rate')}</dt>
            <dd>{endpoint.max_deliveries_per_second ?? t('webhooks.rateNone')}</dd>
          </div>
          <div>
            <dt>{t('webhooks.events')}</dt>
            <dd>{endpoint.events.join(', ')}</dd>
          </div>
        </dl>
      </section>
      <Recoveries endpointId={id} />
      <div className="filters" role="search" aria-label={t('webhooks.deliveries')}>
        <Select
          label={t('calls.filter.status')}
          placeholder={t('calls.filter.any')}
          size="xs"
          clearable
          data={deliveryStatuses.map((value) => ({ value, label: word('status', value) }))}
          value={status ?? null}
          onChange={(next) => void navigate({ search: next === null ? {} : { status: next as 'failed' } })}
        />
      </div>
      <Deliveries endpointId={id} status={status} />
      {secret !== undefined && <NewSecret secret={secret} close={() => setSecret(undefined)} />}
    </Page>
  );
}
