import { Alert, Tabs, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconBrowser, IconPhoneOff } from '@tabler/icons-react';
import type { CallRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useLiveCall } from '../../api/live-call';
import { agentQuery, callQuery, isGoingOn, transcriptQuery } from '../../api/reads';
import { write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { money } from '../../parts/money';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Status } from '../../parts/status';
import { absolute, duration } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useCan } from '../../session/session';
import { t, word } from '../../text/text';
import { partyOf } from '../calls/party';
import { Details } from './details';
import { Events } from './events';
import { Policy } from './policy';
import { Timeline } from './timeline';
import { Transcript } from './transcript';
import { medianLatency } from './turns';

const route = getRouteApi('/calls/$callId');

export default function CallPage() {
  const { callId } = route.useParams();
  const { data: call, error, refetch } = useQuery(callQuery(callId));
  if (call !== undefined) return <Loaded key={callId} call={call} />;
  return (
    <Page title={callId}>{error === null ? <Waiting rows={8} /> : <Failure error={error} retry={refetch} />}</Page>
  );
}

const canCancel = ({ status }: CallRecord): boolean => ['scheduled', 'queued', 'dialing', 'answered'].includes(status);

function Loaded({ call }: { readonly call: CallRecord }) {
  const id = call.call_id;
  const { tab = 'transcript' } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const client = useQueryClient();
  const { data: transcript } = useQuery({
    ...transcriptQuery(id),
    enabled: can('recordings:read') && call.answered_at !== null && call.completed_at !== null,
  });
  const isLive = isGoingOn(call) && call.status !== 'scheduled';
  const live = useLiveCall(id, isLive && can('recordings:read'));
  const { data: agent } = useQuery({
    ...agentQuery(call.agent_id ?? ''),
    enabled: call.agent_id !== null && can('agents:read'),
  });
  const cancel = useMutation({
    mutationFn: () => write<CallRecord>('POST', `/v1/calls/${id}/cancel`),
    onSuccess: (next) => client.setQueryData(['call', id], next),
  });
  const [at, setAt] = useState(0);
  const [seek, setSeek] = useState<{ ms: number } | undefined>();
  const jump = useCallback((ms: number): void => setSeek({ ms }), []);
  const turns = transcript?.turns ?? live.turns;
  const latency = medianLatency(turns);
  const facts = [
    { label: t('call.duration'), value: duration(call.duration_seconds) },
    { label: t('call.turns'), value: String(turns.length) },
    { label: t('call.latency'), value: latency === undefined ? '–' : `${latency} ms`, hint: t('call.latencyHint') },
    { label: t('call.cost'), value: money(call.cost) },
    { label: t('call.ended'), value: call.ended_reason === null ? '–' : word('reason', call.ended_reason) },
  ];
  return (
    <Page
      wide
      title={partyOf(call)}
      lead={
        <span className="call-lead">
          <Status value={call.status} />
          <span>{t(`call.${call.direction}`)}</span>
          {agent !== undefined && <span>{agent.name ?? agent.agent_id}</span>}
          <time dateTime={call.created_at}>{absolute(call.created_at)}</time>
          {call.simulated && (
            <Tooltip label={t('call.simulatedHint')}>
              <em className="tag" tabIndex={0}>
                {t('call.simulated')}
              </em>
            </Tooltip>
          )}
          {call.synthetic && <em className="tag">{t('call.synthetic')}</em>}
        </span>
      }
      actions={
        <>
          <Link to="/calls" className="back">
            <IconArrowLeft size={16} aria-hidden="true" />
            {t('call.back')}
          </Link>
          {canCancel(call) && (
            <ScopedButton
              scope="calls:write"
              color="red"
              variant="light"
              leftSection={<IconPhoneOff size={17} />}
              loading={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {t('call.cancel')}
            </ScopedButton>
          )}
        </>
      }
    >
      {cancel.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {cancel.error.message}
        </Alert>
      )}
      {isLive && (
        <Alert color="iris" variant="light" icon={<IconBrowser size={18} />} role="status">
          {t('call.live')}
        </Alert>
      )}
      <dl className="facts card">
        {facts.map(({ label, value, hint }) => (
          <Tooltip key={label} label={hint} disabled={hint === undefined}>
            <div>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          </Tooltip>
        ))}
      </dl>
      <Timeline call={call} turns={turns} seek={seek} moved={setAt} jump={jump} />
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({
            search: value === 'transcript' || value === null ? {} : { tab: value as 'events' },
            replace: true,
          })
        }
        keepMounted={false}
        className="call-tabs"
      >
        <Tabs.List>
          {(['transcript', 'events', 'policy', 'details'] as const).map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`call.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="transcript" pt="md">
          <Transcript call={call} turns={turns} partial={isLive ? live.partial : ''} at={at} jump={jump} />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="md">
          <Events call={call} />
        </Tabs.Panel>
        <Tabs.Panel value="policy" pt="md">
          <Policy call={call} />
        </Tabs.Panel>
        <Tabs.Panel value="details" pt="md">
          <Details call={call} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
