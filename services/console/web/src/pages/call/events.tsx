import { IconAntenna } from '@tabler/icons-react';
import type { AgentEndpointRecord, CallRecord, DeliverySummary, EventEnvelopePage } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { readAll } from '../../api/reads';
import { Failure } from '../../parts/failure';
import { Notice } from '../../parts/notice';
import { Status } from '../../parts/status';
import { absolute } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

interface Delivered extends DeliverySummary {
  readonly endpoint: string;
}

/** How long after the last change of a call its last delivery is created at most. */
const lateMs = 3_600_000;

/** Those of the time of the call, of every endpoint: a delivery names its event, and lists are by endpoint. */
async function deliveriesOf(call: CallRecord, signal: AbortSignal): Promise<Delivered[]> {
  const until = new Date(Date.parse(call.updated_at) + lateMs).toISOString();
  const endpoints = await readAll<AgentEndpointRecord>('/v1/agent-endpoints', signal);
  const lists = await Promise.all(
    endpoints.data.map(async ({ agent_endpoint_id: id, name, webhook_url: url }) => {
      const query = { since: call.created_at, until, sort: 'created_at' };
      const { data } = await readAll<DeliverySummary>(`/v1/agent-endpoints/${id}/deliveries`, signal, query);
      return data.map((delivery) => ({ ...delivery, endpoint: name ?? url ?? id }));
    }),
  );
  return lists.flat();
}

const isRecent = ({ updated_at: at }: CallRecord): boolean => Date.now() - Date.parse(at) < 120_000;

export function Events({ call }: { readonly call: CallRecord }) {
  const id = call.call_id;
  const canDeliveries = useCan()('agents:read');
  const { data, error, refetch } = useQuery({
    queryKey: ['call', id, 'events'],
    queryFn: ({ signal }) => readAll<EventEnvelopePage['data'][number]>(`/v1/calls/${id}/events`, signal),
  });
  const { data: deliveries } = useQuery({
    queryKey: ['call', id, 'events', 'deliveries'],
    queryFn: ({ signal }) => deliveriesOf(call, signal),
    enabled: canDeliveries,
    // A delivery is created shortly after its event, and changes with its attempts, which have no events.
    refetchInterval: isRecent(call) ? 2_000 : 30_000,
  });
  if (error !== null && data === undefined) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Waiting rows={5} />;
  const events = [...data.data].sort((a, b) => a.resource_seq - b.resource_seq);
  const [first] = events;
  if (first === undefined)
    return <Notice Icon={IconAntenna} title={t('call.events.empty')} lead={t('call.timelineEmpty')} />;
  return (
    <ol className="events">
      {events.map((event) => {
        const own = deliveries?.filter(({ event_id: eventId }) => eventId === event.id) ?? [];
        return (
          <li key={event.id}>
            <span className="event-offset">
              +{((Date.parse(event.created_at) - Date.parse(first.created_at)) / 1000).toFixed(2)} s
            </span>
            <div>
              <b>{event.type}</b>
              <time dateTime={event.created_at}>{absolute(event.created_at)}</time>
              <div className="event-deliveries">
                {own.map(({ delivery_id: delivery, endpoint, status, attempt_count: attempts }) => (
                  <span key={delivery} className="delivery">
                    {endpoint} <Status value={status} /> {attempts > 1 && `×${attempts}`}
                  </span>
                ))}
                {own.length === 0 && (
                  <span className="soft">
                    {canDeliveries ? t('call.deliveries.none') : t('call.deliveries.missing')}
                  </span>
                )}
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
