import {
  serviceCaller,
  type Clock,
  type ControlStateMirror,
  type Degradations,
  type GrpcClient,
  type HealthServer,
} from '@parley/runtime';

const deadlineMs = 1_000;
/** How long a result is cached. */
const reuseMs = 500;

export interface ReadinessParts {
  /** The health checks of the services behind the gateway, by name. */
  readonly services: Readonly<Record<string, GrpcClient<HealthServer>>>;
  readonly controlState: Pick<ControlStateMirror, 'trusted'>;
  readonly clock: Clock;
}

const controlStateName = 'control state';

/**
 * Ready from the first valid control state on, because no key can be verified before it. Later, unavailable services are reported but do not make the gateway
 * unready, because every other gateway would have the same problem. Concurrent probes share one check.
 */
export class PlatformReadiness {
  private last: Promise<Degradations> | undefined;
  private askedMs = 0;
  private begun = false;

  constructor(private readonly parts: ReadinessParts) {}

  /** Why no request can be served yet; undefined if the gateway is ready. */
  waitsFor(): string | undefined {
    this.begun ||= this.parts.controlState.trusted();
    return this.begun ? undefined : controlStateName;
  }

  /** The services behind the gateway that have problems. */
  degradations(): Promise<Degradations> {
    const now = this.parts.clock.monotonicMs();
    if (this.last === undefined || now - this.askedMs >= reuseMs) {
      this.last = this.ask();
      this.askedMs = now;
    }
    return this.last;
  }

  private async ask(): Promise<Degradations> {
    const { services, controlState } = this.parts;
    const checks = Object.entries(services).map(async ([name, health]) => {
      const context = { requestId: `readiness-${name}`, caller: serviceCaller };
      const serving = await health.check({ service: '' }, context, { deadlineMs }).then(
        (answer) => answer.serving,
        () => false,
      );
      return [name, serving ? undefined : 'does not serve'] as const;
    });
    const found = Object.fromEntries(await Promise.all(checks));
    return { ...found, [controlStateName]: controlState.trusted() ? undefined : 'is not trusted' };
  }
}
