import type { DevelopmentKeys } from '../platform/accounts.mts';
import type { CallPage } from './call-page.mts';

/** What the clients are given: the platform's address and the environment of a connector (docs/reference/keys.md#environment). */
export interface ClientWorld {
  readonly url: URL;
  /** The same behind the proxy that adds the key. */
  readonly proxiedUrl: string;
  readonly projectId: string;
  /** What `npm start` leaves in .parley/dev.json. */
  readonly keys: DevelopmentKeys;
  readonly environment: { readonly SERVICE_API_KEY: string };
  /** A page that holds test calls with the SDK, on an origin that the engine lets in. */
  readonly callPage: CallPage;
  /** An empty folder of this run. */
  readonly folder: string;
}

export interface Check {
  readonly name: string;
  /** What the machine has to have: where it has not, the check is skipped, and that is said. */
  readonly needs?: readonly ('speech' | 'browser' | 'linux')[];
  run(world: ClientWorld): Promise<void>;
}
