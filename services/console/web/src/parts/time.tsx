import { useSyncExternalStore } from 'react';
import { t } from '../text/text';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

/** In the reader's time zone and locale. */
export const absolute = (at: string): string => full.format(new Date(at));
const zoneName = zone.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';

let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, 10_000);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

export function relative(at: string, from: number): string {
  const distance = from - Date.parse(at);
  const [size, unit] = units.find(([one]) => Math.abs(distance) >= one) ?? [1_000, 's'];
  const count = Math.round(Math.abs(distance) / size);
  // The shared clock is up to ten seconds late, so that what has just happened may seem to lie ahead.
  if (unit === 's' && count < (distance < 0 ? 11 : 5)) return t('time.now');
  return t(distance < 0 ? 'time.future' : 'time.ago', { time: `${count} ${unit}` });
}

/** Changes every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** With the browser's own tooltip: lists have dozens of these, and a component each would make scrolling slow. */
export function Moment({ at, from }: { readonly at: string; readonly from: number }) {
  return (
    <time dateTime={at} title={`${absolute(at)} ${zoneName}`}>
      {relative(at, from)}
    </time>
  );
}

export const Ago = ({ at }: { readonly at: string }) => <Moment at={at} from={useNow()} />;

export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** An offset in a conversation: 1:07. */
export const clockOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`;
