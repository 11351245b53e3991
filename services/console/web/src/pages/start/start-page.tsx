import { Alert, Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconMicrophone, IconPhoneCall } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState, type FormEvent } from 'react';
import { agentsQuery } from '../../api/reads';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { Conversation } from './conversation';
import { presets, type Preset } from './presets';
import { useFirstCall, type Step } from './use-first-call';

const Talk = lazy(() => import('../talk/talk'));

const order: readonly Step[] = ['agent', 'publish', 'number', 'call', 'talk'];

export default function StartPage() {
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const [preset, setPreset] = useState<Preset>('reception');
  const [values, setValues] = useState<{ name: string; prompt: string; first: string }>(presets.reception);
  const [agentId, setAgentId] = useState<string | null>(null);
  const [isTalking, setTalking] = useState(false);
  const first = useFirstCall();
  const choose = (name: Preset): void => {
    setPreset(name);
    setValues(presets[name]);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void first.run(agentId === null ? values : { agentId });
  };
  const isRunning = first.state.step !== undefined && first.state.error === undefined && !first.state.isDone;
  return (
    <Page title={t('start.title')} lead={t('start.lead')} wide>
      <div className="start">
        <form className="card start-form" onSubmit={submit}>
          <Stack>
            {(agents?.data.length ?? 0) > 0 && (
              <Select
                label={t('start.use')}
                placeholder={t('start.new')}
                data={agents?.data.map(({ agent_id: value, name }) => ({ value, label: name ?? value })) ?? []}
                value={agentId}
                onChange={setAgentId}
                clearable
              />
            )}
            {agentId === null && (
              <>
                <div>
                  <span className="label" id="preset-label">
                    {t('start.preset')}
                  </span>
                  <SegmentedControl
                    fullWidth
                    size="xs"
                    className="presets"
                    aria-labelledby="preset-label"
                    data={(Object.keys(presets) as Preset[]).map((value) => ({
                      value,
                      label: t(`start.preset.${value}`),
                    }))}
                    value={preset}
                    onChange={(value) => choose(value)}
                  />
                </div>
                <TextInput
                  label={t('start.name')}
                  value={values.name}
                  onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
                  required
                />
                <Textarea
                  label={t('start.prompt')}
                  value={values.prompt}
                  onChange={(event) => setValues({ ...values, prompt: event.currentTarget.value })}
                  autosize
                  minRows={4}
                  required
                />
                <TextInput
                  label={t('start.first')}
                  value={values.first}
                  onChange={(event) => setValues({ ...values, first: event.currentTarget.value })}
                  required
                />
              </>
            )}
            <Group>
              <ScopedButton
                scope={agentId === null ? 'agents:write' : 'calls:write'}
                type="submit"
                size="md"
                loading={isRunning}
                leftSection={<IconPhoneCall size={19} />}
              >
                {t(agentId === null ? 'start.go' : 'start.call')}
              </ScopedButton>
              {first.state.agentId !== undefined && (
                <ScopedButton
                  scope="calls:write"
                  variant="default"
                  size="md"
                  leftSection={<IconMicrophone size={18} />}
                  onClick={() => setTalking(true)}
                >
                  {t('start.talk')}
                </ScopedButton>
              )}
            </Group>
          </Stack>
        </form>
        <section className="card start-side" aria-live="polite">
          {first.state.step === undefined ? <Steps /> : <Progress state={first.state} />}
          {first.state.error !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {first.state.error}
            </Alert>
          )}
          {first.state.callId !== undefined && (
            <Conversation callId={first.state.callId} isOver={first.state.isDone === true} />
          )}
          {first.state.isDone && first.state.callId !== undefined && (
            <Button
              mt="md"
              renderRoot={(props) => (
                <Link to="/calls/$callId" params={{ callId: first.state.callId ?? '' }} {...props} />
              )}
            >
              {t('start.open')}
            </Button>
          )}
          {isTalking && first.state.agentId !== undefined && (
            <Suspense>
              <Talk key={first.state.agentId} agentId={first.state.agentId} />
            </Suspense>
          )}
        </section>
      </div>
    </Page>
  );
}

function Steps() {
  return (
    <ol className="promise">
      {(['agent', 'number', 'call'] as const).map((step) => (
        <li key={step}>
          <b>{t(`start.step.${step}`)}</b>
          <span>{t(`start.step.${step}Lead`)}</span>
        </li>
      ))}
    </ol>
  );
}

function Progress({ state }: { readonly state: ReturnType<typeof useFirstCall>['state'] }) {
  const reached = order.indexOf(state.step ?? 'agent');
  return (
    <ol className="progress">
      {order.map((step, n) => (
        <li key={step} data-state={n < reached || state.isDone ? 'done' : n === reached ? 'now' : 'next'}>
          {(n < reached || state.isDone) && <IconCheck size={15} aria-hidden="true" />}
          {t(`start.progress.${step}`)}
        </li>
      ))}
      {state.isDone && <li className="soft">{t('start.done', { seconds: state.seconds ?? 0 })}</li>}
    </ol>
  );
}
