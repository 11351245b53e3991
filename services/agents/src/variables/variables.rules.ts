import { createHash } from 'node:crypto';
import { canonicalJson, type AgentVariables, type VariablesConfig } from '@parley/contract';
import { AppError } from '@parley/errors';

export interface StoredVariables {
  readonly agentId: string;
  /** Undefined if no variables are declared. */
  readonly config: VariablesConfig | undefined;
  readonly publishedVersion: number;
  /** ISO 8601, or empty. */
  readonly publishedAt: string;
}

/** AgentVariables (docs/reference/variables-and-workflows.md). A change of the variables always publishes, so the stored variables are those that calls use. */
export function variablesView({ agentId, config, publishedVersion, publishedAt }: StoredVariables): AgentVariables {
  return {
    agent_id: agentId,
    config: config ?? { variables: [] },
    revision: publishedVersion,
    schema_hash: config === undefined ? '' : createHash('sha256').update(canonicalJson(config)).digest('hex'),
    published_at: publishedAt,
  };
}

/** The configuration as stored: an empty one becomes undefined. */
export function storedConfig(config: VariablesConfig): VariablesConfig | undefined {
  return config.variables.length === 0 ? undefined : config;
}

/**
 * @throws 409 revision_conflict if `base` is not the latest published version (docs/reference/variables-and-workflows.md). Undefined: not checked, the last
 * write wins.
 */
export function checkBaseRevision(base: number | undefined, publishedVersion: number): void {
  if (base === undefined || base === publishedVersion) return;
  throw new AppError('revision_conflict', `base_revision is stale: the current revision is ${publishedVersion}`);
}
