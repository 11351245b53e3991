import type { TranscriptTurn } from '@parley/sdk';

export const voiceOf = ({ speaker }: TranscriptTurn): 'agent' | 'caller' => (speaker === 'agent' ? 'agent' : 'caller');

/** Over the replying turns; undefined if none was measured. */
export function medianLatency(turns: readonly TranscriptTurn[]): number | undefined {
  const known = turns
    .flatMap(({ latency }) => (latency?.total_ms === undefined ? [] : [latency.total_ms]))
    .sort((a, b) => a - b);
  return known.length === 0 ? undefined : known[Math.floor((known.length - 1) / 2)];
}

/** The turn that is spoken at a moment, else the last one before it. */
export function turnAt(turns: readonly TranscriptTurn[], ms: number): number {
  let found = -1;
  turns.forEach(({ started_ms: start }, n) => {
    if (start <= ms) found = n;
  });
  return found;
}

export const endOf = (turns: readonly TranscriptTurn[]): number =>
  Math.max(0, ...turns.map(({ ended_ms: end }) => end));
