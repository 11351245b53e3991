import type { Clock, ControlStateMirror, GrpcClient, HealthServer } from '@parley/runtime';
import type { Readiness } from './probes';

const deadlineMs = 1_000;
/** For how long an answer serves those who ask again. */
const reuseMs = 500;

export interface ReadinessParts {
  /** The services behind the edge by name. */
  readonly services: Readonly<Record<string, GrpcClient<HealthServer>>>;
  readonly controlState: ControlStateMirror;
  readonly clock: Clock;
}

/** Ready when every service answers its health check and the control state is trusted. Asked once for all who ask at a time. */
export function platformReadiness({ services, controlState, clock }: ReadinessParts): Readiness {
  let last: Promise<readonly string[]> | undefined;
  let askedMs = 0;

  const ask = async (): Promise<readonly string[]> => {
    const checks = Object.entries(services).map(async ([name, health]) => {
      const context = { requestId: `readiness-${name}` };
      const serving = await health.check({ service: '' }, context, { deadlineMs }).then(
        (answer) => answer.serving,
        () => false,
      );
      return serving ? [] : [name];
    });
    const waitingFor = (await Promise.all(checks)).flat();
    return controlState.trusted() ? waitingFor : [...waitingFor, 'control state'];
  };

  return () => {
    const now = clock.monotonicMs();
    if (last === undefined || now - askedMs >= reuseMs) {
      last = ask();
      askedMs = now;
    }
    return last;
  };
}
