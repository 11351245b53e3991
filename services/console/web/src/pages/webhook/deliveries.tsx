import { Alert, Button, Code } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconInbox, IconRepeat } from '@tabler/icons-react';
import type { DeliveryRecord, DeliverySummary } from '@parley/sdk';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deliveriesQuery } from '../../api/reads';
import { read, write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { absolute, Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';

interface Props {
  readonly endpointId: string;
  readonly status: string | undefined;
}

export function Deliveries({ endpointId, status }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(endpointId, { status }),
  );
  if (error !== null && data === undefined) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Waiting rows={5} />;
  const deliveries = data.pages.flatMap((page) => page.data);
  if (deliveries.length === 0)
    return <Notice Icon={IconInbox} title={t('webhooks.noDeliveries')} lead={t('webhooks.noDeliveriesLead')} />;
  return (
    <>
      <LongList items={deliveries} className="deliveries card" label={t('webhooks.deliveries')} height={48}>
        {(delivery) => <Delivery key={delivery.delivery_id} delivery={delivery} endpointId={endpointId} />}
      </LongList>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('webhooks.more')}
        </Button>
      )}
    </>
  );
}

function Delivery({ delivery, endpointId }: { readonly delivery: DeliverySummary; readonly endpointId: string }) {
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <button type="button" className="delivery-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Chevron size={16} aria-hidden="true" />
        <b>{delivery.event_type}</b>
        <Status value={delivery.status} />
        <span>{t('webhooks.attempts', { count: delivery.attempt_count })}</span>
        <Ago at={delivery.created_at} />
      </button>
      {isOpen && <Attempts id={delivery.delivery_id} endpointId={endpointId} />}
    </li>
  );
}

function Attempts({ id, endpointId }: { readonly id: string; readonly endpointId: string }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['endpoint', endpointId, 'delivery', id],
    queryFn: ({ signal }) => read<DeliveryRecord>(`/v1/deliveries/${id}`, { signal }),
    refetchInterval: ({ state: { data: one } }) => (one?.status === 'pending' ? 2_000 : false),
  });
  const retry = useMutation({
    mutationFn: () => write<DeliveryRecord>('POST', `/v1/deliveries/${id}/retry`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoint', endpointId] }),
  });
  if (error !== null && data === undefined) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Waiting rows={1} />;
  return (
    <div className="attempts">
      {retry.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {retry.error.message}
        </Alert>
      )}
      <ol>
        {data.attempts.map((attempt) => (
          <li key={attempt.number}>
            <span className="pill" data-tone={attempt.error === null ? 'good' : 'bad'}>
              {attempt.status ?? attempt.error}
            </span>
            <span>{attempt.latency_ms} ms</span>
            <time dateTime={attempt.started_at}>{absolute(attempt.started_at)}</time>
            {attempt.response_body !== '' && <Code block>{attempt.response_body}</Code>}
          </li>
        ))}
      </ol>
      {data.next_attempt_at !== null && (
        <p className="soft">{t('webhooks.next', { time: absolute(data.next_attempt_at) })}</p>
      )}
      <div className="attempts-foot">
        <code>{data.event_id}</code>
        <ScopedButton
          scope="agents:write"
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={15} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('webhooks.retry')}
        </ScopedButton>
      </div>
    </div>
  );
}
