import { NumberInput, SegmentedControl, SimpleGrid } from '@mantine/core';
import type { AgentTurnTaking } from '@parley/sdk';
import fields from 'virtual:turn-taking';
import { t, word } from '../../text/text';
import { usePreview, type PreviewedSettings } from './use-preview';

interface Props {
  readonly value: AgentTurnTaking;
  readonly change: (value: AgentTurnTaking) => void;
  readonly settings: PreviewedSettings;
}

/** The name is one of the contract of this release, which the type of the SDK lists too. */
type Figure = Exclude<keyof AgentTurnTaking, 'interruption_sensitivity'>;

/** A round number of steps from one bound to the other. */
const stepOf = (min: number, max: number): number => (max - min > 1_000 ? 20 : max - min > 50 ? 5 : 1);

export function TurnTaking({ value, change, settings }: Props) {
  const set = (name: Figure, next: string | number): void => {
    const { [name]: _, ...rest } = value;
    change(typeof next === 'number' ? { ...rest, [name]: next } : rest);
  };
  return (
    <>
      <div>
        <span className="label" id="sensitivity">
          {t('turns.sensitivity')}
        </span>
        <SegmentedControl
          aria-labelledby="sensitivity"
          data={(['low', 'balanced', 'high'] as const).map((one) => ({ value: one, label: t(`turns.${one}`) }))}
          value={value.interruption_sensitivity ?? 'balanced'}
          onChange={(next) => change({ ...value, interruption_sensitivity: next })}
        />
      </div>
      <Effects settings={settings} />
      <details>
        <summary>{t('turns.fine')}</summary>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
          {fields.map(({ name, min, max }) => (
            <NumberInput
              key={name}
              label={word('turns', name)}
              description={t('turns.range', { min, max })}
              placeholder={t('turns.default')}
              min={min}
              max={max}
              step={stepOf(min, max)}
              allowDecimal={false}
              value={value[name as Figure] ?? ''}
              onChange={(next) => set(name as Figure, next)}
            />
          ))}
        </SimpleGrid>
      </details>
    </>
  );
}

function Effects({ settings }: { readonly settings: PreviewedSettings }) {
  const { data } = usePreview(settings);
  return data === undefined ? null : <Drawing effective={data.effective} latency={data.latency} />;
}

const number = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise);

/** Two moments of a call as they would be with these settings: when the agent answers, and when it lets itself be interrupted. */
function Drawing({
  effective,
  latency,
}: {
  readonly effective: Readonly<Record<string, unknown>>;
  readonly latency: Readonly<Record<string, unknown>>;
}) {
  const hold = (effective['end_of_turn_ms'] ?? {}) as Record<string, unknown>;
  const finished = number(hold['finished'], number(hold['without_detector']));
  const unfinished = number(hold['unfinished'], finished);
  const answer = number(latency['model']) + number(latency['voice']);
  const interruption = number(effective['interruption_threshold_ms']);
  const words = number(effective['min_interruption_words']);
  const scale = Math.max(unfinished + answer, 1_600) + 900;
  const share = (ms: number): string => `${(100 * ms) / scale}%`;
  return (
    <div className="turns-drawing" role="img" aria-label={t('turns.drawing', { finished, unfinished, interruption })}>
      <p>{t('turns.answer')}</p>
      {[
        { text: t('turns.finished'), wait: finished },
        { text: t('turns.unfinished'), wait: unfinished },
      ].map(({ text, wait }) => (
        <div key={text} className="turns-row">
          <i data-kind="caller" style={{ width: share(700) }}>
            {text}
          </i>
          <i data-kind="wait" style={{ width: share(wait) }}>
            {wait} ms
          </i>
          <i data-kind="think" style={{ width: share(answer) }}>
            {answer} ms
          </i>
          <i data-kind="agent" />
        </div>
      ))}
      <p>{t('turns.interruption')}</p>
      <div className="turns-row">
        <i data-kind="agent" style={{ width: share(700 + interruption) }} />
        <i data-kind="stop" />
      </div>
      <div className="turns-row">
        <i style={{ width: share(700) }} />
        <i data-kind="caller" style={{ width: share(interruption) }} />
        <i data-kind="caller-on">
          {interruption} ms{words > 0 && ` ${t('turns.words', { count: words })}`}
        </i>
      </div>
    </div>
  );
}
