import { IconArrowLeft } from '@tabler/icons-react';
import type { SimulationSuite } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runsQuery, suiteQuery } from '../../api/reads';
import { send, type WithEtag } from '../../api/request';
import { Confirm } from '../../parts/confirm';
import { Failure } from '../../parts/failure';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { Report } from './report';
import { RunForm } from './run-form';
import { Runs } from './runs';
import { Scenarios } from './scenarios';

const route = getRouteApi('/simulations/$suiteId');

export default function SuitePage() {
  const { suiteId } = route.useParams();
  const { data, error, refetch } = useQuery(suiteQuery(suiteId));
  if (data !== undefined) return <Loaded key={suiteId} suite={data} />;
  return (
    <Page title={suiteId}>{error === null ? <Waiting rows={6} /> : <Failure error={error} retry={refetch} />}</Page>
  );
}

function Loaded({ suite }: { readonly suite: WithEtag<SimulationSuite> }) {
  const { simulation_suite_id: suiteId, name, agent_id: agentId } = suite.value;
  const { run, against } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const runs = useQuery(runsQuery(suiteId));
  const shownRun = run ?? runs.data?.data[0]?.simulation_run_id;
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/v1/simulation-suites/${suiteId}`),
    onSuccess: async () => {
      await navigate({ to: '/simulations' });
      client.removeQueries({ queryKey: ['suite', suiteId] });
      await client.invalidateQueries({ queryKey: ['suites'] });
    },
  });
  return (
    <Page
      wide
      title={name}
      lead={
        <span className="call-lead">
          <Link to="/agents/$agentId" params={{ agentId }}>
            {t('suites.agentLink')}
          </Link>
          <code>{suiteId}</code>
        </span>
      }
      actions={
        <>
          <Link to="/simulations" className="back">
            <IconArrowLeft size={16} aria-hidden="true" />
            {t('suites.back')}
          </Link>
          <ScopedButton scope="simulations:run" color="red" variant="light" onClick={() => setAsking(true)}>
            {t('delete')}
          </ScopedButton>
        </>
      }
    >
      <RunForm
        suiteId={suiteId}
        begun={(id) => void navigate({ search: shownRun === undefined ? { run: id } : { run: id, against: shownRun } })}
      />
      <Runs query={runs} shownRun={shownRun} />
      {shownRun !== undefined && (
        <Report
          key={shownRun}
          suiteId={suiteId}
          runId={shownRun}
          against={against === shownRun ? undefined : against}
          others={runs.data?.data.filter(({ simulation_run_id: id }) => id !== shownRun) ?? []}
          compare={(next) =>
            void navigate({ search: next === undefined ? { run: shownRun } : { run: shownRun, against: next } })
          }
        />
      )}
      <Scenarios suite={suite} />
      {isAsking && (
        <Confirm
          title={t('suites.delete')}
          lead={t('suites.deleteLead', { name })}
          action={t('suites.deleteNow')}
          isPending={remove.isPending}
          error={remove.error}
          confirm={() => remove.mutate()}
          close={() => setAsking(false)}
        />
      )}
    </Page>
  );
}
