import { Alert, Code, Loader } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { AgentVoiceStack } from '@parley/sdk';
import { memo } from 'react';
import { money } from '../../parts/money';
import { t, word } from '../../text/text';
import { usePreview, type PreviewedSettings } from './use-preview';

interface Props {
  readonly settings: PreviewedSettings;
  readonly before: AgentVoiceStack;
  readonly isChanged: boolean;
}

type Figures = Readonly<Record<string, unknown>>;

/** Blockers, price and delay of the editor's current state. */
export const PreviewPanel = memo(function PreviewPanel({ settings, before, isChanged }: Props) {
  const { data, error, isFetching } = usePreview(settings);
  return (
    <section className="card section preview" aria-live="polite" aria-busy={isFetching}>
      <h2>
        {t('agent.preview')} {isFetching && <Loader size={13} role="img" aria-label={t('agent.previewing')} />}
      </h2>
      {error !== null && (
        <Alert color="red" variant="light">
          {error.message}
        </Alert>
      )}
      {data !== undefined && (
        <>
          <p className="preview-verdict" data-tone={data.publishable ? 'good' : 'bad'}>
            {data.publishable ? (
              <IconCircleCheck size={20} aria-hidden="true" />
            ) : (
              <IconCircleX size={20} aria-hidden="true" />
            )}
            {t(data.publishable ? 'agent.publishable' : 'agent.blocked')}
          </p>
          {data.blockers.map(({ code, scope, detail }) => (
            <Alert key={`${code}-${scope}`} color="red" variant="light" title={word('blocker', code)}>
              {detail} <Code>{scope}</Code>
            </Alert>
          ))}
          {data.voice_stack.warnings.map((warning) => (
            <Alert key={warning} color="yellow" variant="light">
              {warning}
            </Alert>
          ))}
          <Bars
            title={t('agent.price')}
            figures={data.cost}
            before={isChanged ? before.cost : undefined}
            show={perMinute}
          />
          <Bars
            title={t('agent.delay')}
            figures={data.latency}
            before={isChanged ? before.latency : undefined}
            show={(ms) => `${ms} ms`}
          />
        </>
      )}
    </section>
  );
});

const perMinute = (micros: number): string => `${money({ currency: 'USD', amount_micros: micros })}/min`;

interface BarsProps {
  readonly title: string;
  readonly figures: Figures;
  readonly before: Figures | undefined;
  readonly show: (value: number) => string;
}

function Bars({ title, figures, before, show }: BarsProps) {
  const total = Number(figures['total'] ?? 0);
  const was = before === undefined ? total : Number(before['total'] ?? 0);
  const unknown = Array.isArray(figures['unknown']) ? (figures['unknown'] as string[]) : [];
  const parts = Object.entries(figures).filter(
    ([name, value]) => name !== 'total' && typeof value === 'number' && value > 0,
  );
  return (
    <div className="bars">
      <div className="bars-head">
        <span>
          {title}
          {figures['estimated'] === true && <em className="tag">{t('agent.estimated')}</em>}
          {unknown.length > 0 && <em className="tag">{t('agent.unknown', { parts: unknown.join(', ') })}</em>}
        </span>
        <b>
          {was !== total && <del>{show(was)}</del>} {show(total)}
        </b>
      </div>
      <div className="bar">
        {parts.map(([name, value]) => (
          <i
            key={name}
            data-part={name}
            style={{ width: `${(100 * Number(value)) / Math.max(total, 1)}%` }}
            title={`${word('part', name)}: ${show(Number(value))}`}
          />
        ))}
      </div>
      <ul>
        {parts.map(([name, value]) => (
          <li key={name} data-part={name}>
            {word('part', name)} <span>{show(Number(value))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
