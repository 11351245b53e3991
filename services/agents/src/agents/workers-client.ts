import type { Blocker } from '@parley/contract';
import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { Clock, GrpcClient, OutgoingContext } from '@parley/runtime';

/** Telephony's evaluation of a configuration. */
export interface WorkersCheck {
  readonly blockers: readonly Blocker[];
  /** The provider with which workers translate: simulator, deepl or none. */
  readonly translator: string;
}

/** The timeout for a save's warnings. */
const deadlineMs = 1_000;
const trustMs = 10_000;
const mostKnown = 1_000;

/** Asks telephony whether workers can conduct a configuration. */
export class Workers {
  /** Cached evaluations, oldest first. */
  private readonly known = new Map<string, WorkersCheck & { readonly readAtMs: number }>();

  constructor(
    private readonly client: Pick<GrpcClient<TelephonyServiceServer>, 'checkConfiguration'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /** @returns undefined if telephony is unavailable: a save must not depend on it */
  async check(
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
    needs: readonly string[],
    context: OutgoingContext,
  ): Promise<WorkersCheck | undefined> {
    const key = [organizationId, projectId, ...needs].join(' ');
    const known = this.known.get(key);
    if (known !== undefined && this.clock.monotonicMs() - known.readAtMs < trustMs) return known;
    try {
      const request = { organizationId, projectId, needs: [...needs] };
      const { hindrances, translator } = await this.client.checkConfiguration(request, context, { deadlineMs });
      const found = { blockers: hindrances, translator };
      this.keep(key, found);
      return found;
    } catch {
      return undefined;
    }
  }

  private keep(key: string, found: WorkersCheck): void {
    this.known.delete(key);
    const [oldest] = this.known.keys();
    if (this.known.size >= mostKnown && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { ...found, readAtMs: this.clock.monotonicMs() });
  }
}
