import { Alert } from '@mantine/core';
import { IconPhoneOff, IconWaveSine } from '@tabler/icons-react';
import type { CallRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { controlsQuery, liveCallsQuery, walletQuery } from '../../api/reads';
import { once, write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { money } from '../../parts/money';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useCan, useMe } from '../../session/session';
import { t } from '../../text/text';
import { partyOf } from '../calls/party';

/** Current calls. The page's event stream keeps them up to date, without polling while it is open. */
export default function LivePage() {
  const can = useCan();
  const id = useMe().organization?.organization_id ?? '';
  const { data, error, refetch } = useQuery(liveCallsQuery);
  const { data: controls } = useQuery({ ...controlsQuery(id), enabled: id !== '' && can('wallet:read') });
  const { data: wallet } = useQuery({ ...walletQuery, enabled: can('wallet:read') });
  if (data === undefined)
    return (
      <Page title={t('live.title')} lead={t('live.lead')} wide>
        {error === null ? <Waiting rows={6} /> : <Failure error={error} retry={refetch} />}
      </Page>
    );
  const of = (most: number | null | undefined): string =>
    most === null || most === undefined ? '' : ` ${t('live.of', { most })}`;
  const facts = [
    [t('live.talking'), String(data.answered.length)],
    [t('live.dialing'), String(data.dialing.length)],
    [t('live.cap'), `${data.answered.length + data.dialing.length + data.queued.length}${of(controls?.live_calls)}`],
    [t('live.queued'), `${data.queued.length}${of(controls?.queued_calls)}`],
    ...(wallet === undefined ? [] : [[t('live.available'), money(wallet.available)]]),
  ];
  const calls = [...data.answered, ...data.dialing, ...data.queued];
  return (
    <Page title={t('live.title')} lead={t('live.lead')} wide>
      <dl className="facts card" aria-live="polite">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data.isCut && <Alert color="yellow">{t('live.cut')}</Alert>}
      {calls.length === 0 ? (
        <Notice Icon={IconWaveSine} title={t('live.empty')} lead={t('live.emptyLead')} />
      ) : (
        <ul className="deliveries card" aria-label={t('live.title')}>
          {calls.map((call) => (
            <LiveCall key={call.call_id} call={call} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function LiveCall({ call }: { readonly call: CallRecord }) {
  const client = useQueryClient();
  const id = call.call_id;
  const isTalking = call.status === 'answered';
  const end = useMutation({
    mutationFn: () =>
      isTalking
        ? write('POST', `/v1/calls/${id}/hang-up`, { headers: once() })
        : write('POST', `/v1/calls/${id}/cancel`),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
  return (
    <li className="live-call">
      <Link to="/calls/$callId" params={{ callId: id }}>
        {partyOf(call)}
      </Link>
      <Status value={call.status} />
      <Ago at={call.answered_at ?? call.dialing_at ?? call.created_at} />
      <ScopedButton
        scope="calls:write"
        size="xs"
        color="red"
        variant="light"
        leftSection={<IconPhoneOff size={15} />}
        loading={end.isPending}
        onClick={() => end.mutate()}
      >
        {t(isTalking ? 'live.hangUp' : 'call.cancel')}
      </ScopedButton>
      {end.error !== null && (
        <Alert color="red" variant="light" role="alert" w="100%">
          {end.error.message}
        </Alert>
      )}
    </li>
  );
}
