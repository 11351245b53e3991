import type { Blocker } from '@parley/contract';
import type { Hindrance, TelephonyServiceServer } from '@parley/proto/telephony';
import type { Clock, GrpcClient, OutgoingContext } from '@parley/runtime';

/** Telephony's evaluation of a configuration. */
export interface WorkersCheck {
  readonly blockers: readonly Blocker[];
  /** What no worker declared, whatever the numbers of the project are. */
  readonly undeclared: readonly Blocker[];
  /** The provider with which workers translate: simulator, deepl or none. */
  readonly translator: string;
}

/** Telephony's evaluation for each channel. */
export interface ChannelsCheck {
  readonly phone: readonly Blocker[];
  readonly browser: readonly Blocker[];
  readonly chat: readonly Blocker[];
  readonly hasNumber: boolean;
}

/** The codes of blockers are telephony's, whose compiler checks them. */
const blockersOf = (hindrances: readonly Hindrance[]): readonly Blocker[] => hindrances as readonly Blocker[];

/** The timeout for a save's warnings. */
const deadlineMs = 1_000;
const trustMs = 10_000;
const mostKnown = 1_000;

/** Asks telephony whether workers can conduct a configuration. */
export class Workers {
  /** Cached evaluations without a blocker, oldest first. */
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
      const request = { organizationId, projectId, needs: [...needs], channels: false };
      const { hindrances, translator, undeclared } = await this.client.checkConfiguration(request, context, {
        deadlineMs,
      });
      const found = { blockers: blockersOf(hindrances), undeclared: blockersOf(undeclared), translator };
      // A worker that declares what is missing counts at once.
      if (found.blockers.length + found.undeclared.length === 0) this.keep(key, found);
      return found;
    } catch {
      return undefined;
    }
  }

  /** @throws AppError if telephony is unavailable */
  async channels(
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
    needs: readonly string[],
    context: OutgoingContext,
  ): Promise<ChannelsCheck> {
    const request = { organizationId, projectId, needs: [...needs], channels: true };
    const { hindrances, browser, chat, hasNumber } = await this.client.checkConfiguration(request, context);
    return { phone: blockersOf(hindrances), browser: blockersOf(browser), chat: blockersOf(chat), hasNumber };
  }

  private keep(key: string, found: WorkersCheck): void {
    this.known.delete(key);
    const [oldest] = this.known.keys();
    if (this.known.size >= mostKnown && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { ...found, readAtMs: this.clock.monotonicMs() });
  }
}
