import type { Blocker } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { Dependencies } from './dependencies';
import type { Workspace } from './endpoints-client';

/** What decides where an agent of the customer's own is reached. Absent and empty are the same. */
export interface AgentAddresses {
  readonly mode: string;
  readonly webhook_url?: string | null | undefined;
  readonly audio_stream_url?: string | null | undefined;
}

const missing = (detail: string): Blocker[] => [{ code: 'address_missing', scope: 'address', detail }];
const has = (address: string | null | undefined): boolean => (address ?? '') !== '';

/**
 * What is in the way where words or audio come from the customer's own server, and no address of it is known: external_text goes to the agent's
 * webhook_url, external_audio to its audio_stream_url, else to that of the project's only endpoint.
 * @throws AppError where webhooks, which has the endpoints, does not answer
 */
export async function missingAddress(
  { endpoints }: Pick<Dependencies, 'endpoints'>,
  workspace: Workspace,
  { mode, webhook_url: webhook, audio_stream_url: audio }: AgentAddresses,
  context: OutgoingContext,
): Promise<Blocker[]> {
  if (mode === 'external_text') {
    return has(webhook) ? [] : missing('the mode external_text needs the webhook_url of the agent');
  }
  if (mode !== 'external_audio' || has(audio) || has(await endpoints.audioStreamUrl(workspace, context))) return [];
  return missing(
    'the mode external_audio needs the audio_stream_url of the agent, or a project with exactly one endpoint',
  );
}
