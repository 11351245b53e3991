import type { Blocker } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { Dependencies } from './dependencies';
import type { Workspace } from './endpoints-client';

/** The fields that determine the address of an agent on a customer's server. An empty field is treated like an absent one. */
export interface AgentAddresses {
  readonly mode: string;
  readonly webhook_url?: string | null | undefined;
  readonly audio_stream_url?: string | null | undefined;
}

const missing = (detail: string): Blocker[] => [{ code: 'address_missing', scope: 'address', detail }];
const has = (address: string | null | undefined): boolean => (address ?? '') !== '';

/**
 * Returns a blocker if text or audio comes from the customer's server and its address is unknown. external_text uses the agent's webhook_url; external_audio
 * uses its audio_stream_url or else that of the project's only endpoint.
 * @throws AppError if webhooks, the service that owns endpoints, is unavailable
 */
export async function missingAddress(
  { endpoints }: Pick<Dependencies, 'endpoints'>,
  workspace: Workspace,
  { mode, webhook_url: webhook, audio_stream_url: audio }: AgentAddresses,
  context: OutgoingContext,
): Promise<Blocker[]> {
  if (mode === 'external_text') {
    return has(webhook) ? [] : missing('the mode external_text requires the webhook_url of the agent');
  }
  if (mode !== 'external_audio' || has(audio) || has(await endpoints.audioStreamUrl(workspace, context))) return [];
  return missing(
    'the mode external_audio requires the audio_stream_url of the agent, or a project with exactly one endpoint',
  );
}
