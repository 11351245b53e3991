import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { t } from '../../text/text';

export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly label: string;
  /** Milliseconds. */
  readonly starts: readonly number[];
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
  readonly showTime: (ms: number) => string;
}

const colours = ['--agent', '--caller', '--good', '--bad', '--wait', '--text-soft'] as const;
const height = 280;

/** Drawn on a canvas, which has no text for readers: the table below has the same figures. */
export default function Chart({ label, starts, lines, show, showTime }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const box = frame.current;
    if (box === null) return undefined;
    const styles = getComputedStyle(box);
    const colour = (name: string): string => styles.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--text-soft'),
      font: `11px ${styles.fontFamily}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const isSingle = lines.length === 1;
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        padding: [12, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? null)] },
        scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.12 : 1] } },
        axes: [axis, { ...axis, size: 68, values: (_plot, splits) => splits.map(show) }],
        series: [
          {},
          ...lines.map(({ name }, n) => {
            const stroke = colour(colours[n % colours.length] ?? '--agent');
            return {
              label: name,
              stroke,
              width: 2,
              points: { show: starts.length <= 48 && !isSingle, size: 5 },
              ...(isSingle && { fill: `${stroke}33`, paths: uPlot.paths.bars?.({ size: [0.7, 42], radius: 0.15 }) }),
            };
          }),
        ],
      },
      [starts.map((ms) => ms / 1000), ...lines.map(({ values }) => [...values])],
      box,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    resized.observe(box);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [starts, lines, show, scheme]);
  const start = at === null ? undefined : starts[at];
  return (
    <figure className="chart">
      <div ref={frame} role="img" aria-label={label} />
      <figcaption>
        <time>{start === undefined ? t('analytics.hover') : showTime(start)}</time>
        {lines.map(({ name, values }, n) => {
          const value = at === null ? undefined : values[at];
          return (
            <span key={`${n} ${name}`} className="chart-line" data-line={n % colours.length}>
              {name}
              {typeof value === 'number' && <b>{show(value)}</b>}
            </span>
          );
        })}
      </figcaption>
    </figure>
  );
}
