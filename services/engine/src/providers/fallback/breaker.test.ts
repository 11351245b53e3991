import type { ProviderErrorCode } from '@parley/providers';
import {
  asked,
  closedCircuit,
  failed,
  failuresToOpen,
  longestOpenMs,
  mayAsk,
  refusedOpenMs,
  shortestOpenMs,
  succeeded,
  type Circuit,
} from './breaker';

const after = (failures: number, circuit: Circuit = closedCircuit): Circuit => {
  for (let n = 0; n < failures; n += 1) circuit = failed(circuit, 'unavailable', 0);
  return circuit;
};

describe('circuit breaker of a provider and credential', () => {
  it('opens for 10 s after three consecutive failures', () => {
    expect(mayAsk(after(failuresToOpen - 1), 0)).toBe(true);
    const open = after(failuresToOpen);
    expect([0, shortestOpenMs - 1, shortestOpenMs].map((now) => mayAsk(open, now))).toEqual([false, false, true]);
  });

  it('closes after one success', () => expect(mayAsk(succeeded(), 0)).toBe(true));

  it('lets one probe request through at a time when its open period has ended', () => {
    const probing = asked(after(failuresToOpen));
    expect(mayAsk(probing, shortestOpenMs)).toBe(false);
    expect(mayAsk(failed(probing, 'canceled', shortestOpenMs), shortestOpenMs)).toBe(true);
  });

  it('stays open twice as long after each failed probe, at most five minutes', () => {
    let circuit = after(failuresToOpen);
    const open: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const now = circuit.openUntil;
      circuit = failed(asked(circuit), 'stalled', now);
      open.push(circuit.openUntil - now);
    }
    expect(open).toEqual([20_000, 40_000, 80_000, 160_000, longestOpenMs, longestOpenMs, longestOpenMs]);
  });

  it.each<[ProviderErrorCode, number | undefined, number]>([
    ['unauthorized', undefined, refusedOpenMs],
    ['rate_limited', 2_000, 2_000],
    ['rate_limited', 3_600_000, longestOpenMs],
    ['rate_limited', undefined, 0],
    ['canceled', undefined, 0],
    ['invalid_request', undefined, 0],
  ])('after one failure of %s with Retry-After %s ms it is open for %d ms', (code, retryAfterMs, openMs) => {
    const circuit = failed(closedCircuit, code, 1_000, retryAfterMs);
    expect(mayAsk(circuit, 1_000 + openMs)).toBe(true);
    if (openMs > 0) expect(mayAsk(circuit, 999 + openMs)).toBe(false);
  });

  it.each<ProviderErrorCode>(['canceled', 'invalid_request'])('does not count %s as a failure', (code) => {
    let circuit: Circuit = closedCircuit;
    for (let n = 0; n < 10; n += 1) circuit = failed(circuit, code, 0);
    expect(circuit).toEqual(closedCircuit);
  });
});
