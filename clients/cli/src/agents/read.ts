import type { AgentVoiceStack, Parley } from '@parley/sdk';
import type { Fields } from './files.js';
import { seenOf } from './plan.js';
import { readWorkflow, type ReadWorkflow } from './workflow.js';

interface Platform {
  readonly seen: Fields;
  readonly etag: string;
  readonly stack: AgentVoiceStack;
  /** Undefined if it was not requested. */
  readonly workflow: ReadWorkflow | undefined;
}

/** An agent as the platform has it. @param withWorkflow needs the scope workflows:read */
export async function readPlatform(parley: Parley, agentId: string, withWorkflow: boolean): Promise<Platform> {
  const path = { agent_id: agentId };
  // Variables share the ETag, so the next write detects a concurrent change between the reads as a conflict.
  const { data: configuration, response } = await parley.withResponse((options) =>
    parley.agents.getAgentConfiguration({ path, ...options }),
  );
  const { config } = await parley.agents.getVariables({ path });
  const workflow = withWorkflow ? await readWorkflow(parley, agentId) : undefined;
  const seen: Fields = {
    ...seenOf(configuration),
    variables: config.variables,
    ...(workflow === undefined ? {} : { workflow: workflow.published }),
  };
  return { seen, etag: response.headers.get('etag') ?? '', stack: configuration.voice_stack, workflow };
}
