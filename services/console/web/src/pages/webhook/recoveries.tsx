import type { RecoveryRecordPage } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/request';
import { Status } from '../../parts/status';
import { absolute } from '../../parts/time';
import { t } from '../../text/text';

/** The newest recovery with its progress; empty if there was none. */
export function Recoveries({ endpointId }: { readonly endpointId: string }) {
  const { data } = useQuery({
    queryKey: ['endpoint', endpointId, 'recoveries'],
    queryFn: ({ signal }) =>
      read<RecoveryRecordPage>(`/v1/agent-endpoints/${endpointId}/recoveries`, { query: { limit: 1 }, signal }),
    refetchInterval: ({ state: { data: page } }) => (page?.data[0]?.status === 'running' ? 1_000 : false),
  });
  const [newest] = data?.data ?? [];
  if (newest === undefined) return null;
  return (
    <section className="card section recovery" aria-label={t('webhooks.recovery')}>
      <b>{t('webhooks.recovery')}</b> <Status value={newest.status} />{' '}
      <span>{t('webhooks.recovered', { count: newest.recovered, examined: newest.examined })}</span>{' '}
      <time dateTime={newest.created_at}>{absolute(newest.created_at)}</time>
    </section>
  );
}
