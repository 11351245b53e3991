import { startSpan } from '@parley/runtime';
import type { TranscriptTurn } from '@parley/contract';

/**
 * Records one span `turn` for each turn of a call, under the trace of its reports, with `parley.call_id`, `parley.turn_id`, `parley.speaker` and the parts of
 * the latency in milliseconds. Spans contain no text of the conversation. The times of calls with the pace `instant` are simulated and lie before their
 * completion.
 * @param answeredAt milliseconds since 1970
 */
export function traceTurns(turns: readonly TranscriptTurn[], callId: string, answeredAt: number, parent: string): void {
  for (const { turn_id, speaker, interrupted, latency = {}, started_ms, ended_ms } of turns) {
    const span = startSpan('turn', {
      parent,
      startTime: answeredAt + started_ms,
      attributes: {
        'parley.call_id': callId,
        ...(turn_id !== undefined && { 'parley.turn_id': turn_id }),
        'parley.speaker': speaker,
        ...(interrupted === true && { 'parley.interrupted': true }),
        ...Object.fromEntries(Object.entries(latency).map(([part, ms]) => [`parley.latency.${part}`, Number(ms)])),
      },
    });
    span?.end({ endTime: answeredAt + ended_ms });
  }
}
