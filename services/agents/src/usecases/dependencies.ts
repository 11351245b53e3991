import type { Database } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { Credentials } from '../clients/credentials';
import type { VoiceStack } from '../clients/voice-stack';

/** What the use cases work with. */
export interface Dependencies {
  readonly db: Database;
  readonly voiceStack: VoiceStack;
  readonly credentials: Pick<Credentials, 'find'>;
  readonly vault: Vault;
  /** To be called after the commit of what was appended to the outbox. */
  committed(): void;
  /** A publication was refused; the code of its first blocker. */
  publicationBlocked(code: string): void;
}

/** A record as JSON text with its entity tag, as a public route returns it. */
export interface AgentAnswer {
  readonly body: string;
  readonly etag: string;
  /** True when an Idempotency-Key returned an earlier answer. */
  readonly replayed?: boolean;
}
