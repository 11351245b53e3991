import { Alert } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readinessQuery } from '../../api/reads';
import { t, word } from '../../text/text';

const channels = ['phone', 'browser', 'chat'] as const;

/** Where the stored agent can be used. Unlike the preview, it does not follow the draft. */
export function Readiness({ agentId }: { readonly agentId: string }) {
  const { data, error } = useQuery(readinessQuery(agentId));
  const hindrances = new Map(
    channels.flatMap((channel) => data?.[channel].blockers ?? []).map((one) => [`${one.code} ${one.detail}`, one]),
  );
  return (
    <section className="card section preview" aria-label={t('agent.readiness')}>
      <h2>{t('agent.readiness')}</h2>
      {error !== null && (
        <Alert color="red" variant="light">
          {error.message}
        </Alert>
      )}
      {data !== undefined &&
        channels.map((channel) => (
          <p key={channel} className="preview-verdict" data-tone={data[channel].ok ? 'good' : 'bad'}>
            {data[channel].ok ? (
              <IconCircleCheck size={20} aria-hidden="true" />
            ) : (
              <IconCircleX size={20} aria-hidden="true" />
            )}
            {t(`agent.readiness.${channel}`)}: {t(data[channel].ok ? 'agent.readiness.ok' : 'agent.readiness.not')}
          </p>
        ))}
      {[...hindrances].map(([key, { code, detail, repair }]) => (
        <Alert key={key} color="yellow" variant="light" title={word('blocker', code)}>
          {detail}. {repair}
        </Alert>
      ))}
    </section>
  );
}
