import type { DevelopmentKeys } from '../platform/accounts.mts';
import type { CallPage } from './call-page.mts';

/** What the checks of clients need: the platform's address, and the environment of a connector (docs/reference/keys.md#environment). */
export interface ClientWorld {
  readonly url: URL;
  /** The address of the proxy that adds the key. */
  readonly proxiedUrl: string;
  readonly projectId: string;
  /** The content of .parley/dev.json, which `npm start` writes. */
  readonly keys: DevelopmentKeys;
  readonly environment: { readonly SERVICE_API_KEY: string };
  /** A page for test calls with the SDK, on an origin that the engine allows. */
  readonly callPage: CallPage;
  /** An empty folder for this run. */
  readonly folder: string;
}

export interface Check {
  readonly name: string;
  /** What the machine must provide; otherwise the check is reported as skipped. */
  readonly needs?: readonly ('speech' | 'browser' | 'linux')[];
  run(world: ClientWorld): Promise<void>;
}
