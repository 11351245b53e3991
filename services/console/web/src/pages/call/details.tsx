import { Code, CopyButton, Stack } from '@mantine/core';
import type { CallRecord, PublicationDiff } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read } from '../../api/request';
import { Changes } from '../../parts/changes';
import { absolute } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

const steps = [
  'created_at',
  'queued_at',
  'dialing_at',
  'answered_at',
  'media_started_at',
  'ended_at',
  'completed_at',
  'failed_at',
  'canceled_at',
] as const;

export function Details({ call }: { readonly call: CallRecord }) {
  const { publication } = call;
  return (
    <Stack>
      {call.problems.length > 0 && (
        <Section title={t('call.problems')}>
          <ul className="problems">
            {call.problems.map(({ code, detail, at }) => (
              <li key={`${code}-${at}`}>
                <Code>{code}</Code> {detail}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('call.identity')}>
        <dl className="pairs">
          <Pair label={t('call.field.call_id')}>
            <CopyButton value={call.call_id}>
              {({ copied, copy }) => (
                <button type="button" className="copyable" onClick={copy}>
                  {call.call_id} <small>{t(copied ? 'code.copied' : 'code.copy')}</small>
                </button>
              )}
            </CopyButton>
          </Pair>
          {call.agent_id !== null && <Pair label={t('call.field.agent_id')}>{call.agent_id}</Pair>}
          {call.carrier !== null && <Pair label={t('call.field.carrier')}>{call.carrier}</Pair>}
          {call.from !== null && <Pair label={t('call.field.from')}>{call.from}</Pair>}
          {call.from_raw !== null && <Pair label={t('call.field.from_raw')}>{call.from_raw}</Pair>}
          {call.to !== null && <Pair label={t('call.field.to')}>{call.to}</Pair>}
          {call.language !== null && <Pair label={t('call.field.language')}>{call.language}</Pair>}
          {call.classification !== null && (
            <Pair label={t('call.classification')}>
              {call.classification} {call.classification_detail}
            </Pair>
          )}
          {call.reason_detail !== null && <Pair label={t('call.field.reason_detail')}>{call.reason_detail}</Pair>}
          {steps.map((step) => {
            const at = call[step];
            return at === null ? null : (
              <Pair key={step} label={t(`call.field.${step}`)}>
                <time dateTime={at}>{absolute(at)}</time>
              </Pair>
            );
          })}
        </dl>
      </Section>
      {publication !== null && (
        <Publication agentId={call.agent_id} version={publication.version} id={publication.publication_id} />
      )}
      {(['variables', 'metadata'] as const).map((name) =>
        Object.keys(call[name]).length === 0 ? null : (
          <Section key={name} title={t(`call.${name}`)}>
            <pre className="json" tabIndex={0}>
              {JSON.stringify(call[name], null, 2)}
            </pre>
          </Section>
        ),
      )}
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The components and versions of the call, and what was new in it. */
function Publication({
  agentId,
  version,
  id,
}: {
  readonly agentId: string | null;
  readonly version: number;
  readonly id: string;
}) {
  const can = useCan()('agents:read');
  const { data: diff } = useQuery({
    queryKey: ['publication-diff', agentId, version],
    queryFn: ({ signal }) => read<PublicationDiff>(`/v1/agents/${agentId}/publications/${version}/diff`, { signal }),
    enabled: can && agentId !== null && version > 0,
    staleTime: Infinity,
  });
  return (
    <Section title={t('call.publication')}>
      <p>
        {version === 0 ? t('call.publicationNone') : t('call.publicationOf', { version })}{' '}
        <Code>{id.slice(0, 20)}…</Code>
      </p>
      {diff !== undefined && (
        <details>
          <summary>{t('call.publication.diff')}</summary>
          {diff.changes.length === 0 ? (
            <p>{t('call.publication.same', { version: diff.against })}</p>
          ) : (
            <Changes changes={diff.changes} />
          )}
        </details>
      )}
    </Section>
  );
}
