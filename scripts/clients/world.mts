import type { DevelopmentKeys } from '../platform/accounts.mts';

/** What the clients are given: the platform's address and the environment of a connector (docs/reference/keys.md#environment). */
export interface ClientWorld {
  readonly url: URL;
  /** The same behind the proxy that adds the key. */
  readonly proxiedUrl: string;
  readonly projectId: string;
  /** What `npm start` leaves in .parley/dev.json. */
  readonly keys: DevelopmentKeys;
  readonly environment: { readonly SERVICE_API_KEY: string };
  /** An empty folder of this run. */
  readonly folder: string;
}

export interface Check {
  readonly name: string;
  run(world: ClientWorld): Promise<void>;
}
