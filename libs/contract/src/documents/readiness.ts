/** Every code of a blocker, with what repairs it. */
export const blockerRepairs = {
  address_missing:
    'Set the address of the agent (webhook_url or audio_stream_url), or MEDIA_PUBLIC_URL of the installation.',
  agent_inactive: 'Set the status of the agent to active.',
  agent_suspended: 'An operator can reinstate the agent.',
  candidate_limit: 'Select fewer languages, or a transcriber that distinguishes more.',
  carrier_credential_missing: 'Store a credential of the carrier that owns the number.',
  carrier_unavailable: 'Use a number of another provider, or start a worker that serves this one.',
  credential_missing: 'Store a credential of the provider and bind it, or select another provider.',
  engine_unavailable: 'Select another voice_frontend, or start a worker that runs it.',
  language_not_supported: 'Remove the language, or select components that support it.',
  mode_unavailable: 'Use another line or mode, or start a worker that conducts this mode.',
  model_not_in_catalogue: 'Select a model that GET /v1/agent-catalog lists.',
  number_missing: 'Add a number to the project of the agent.',
  provider_unavailable: 'Select another provider, or start a worker that uses this one.',
  provider_unknown: 'Select a provider that GET /v1/agent-catalog lists.',
  shared_transcriber_missing: 'Switch follow_caller off, or select one transcriber for all languages.',
  tool_unavailable: 'Remove the tool, or start a worker that runs it.',
  voice_id_missing: 'Select a voice_id; GET /v1/voices lists them.',
  voice_unknown: 'Select a voice that GET /v1/voices lists.',
} as const;

export type BlockerCode = keyof typeof blockerRepairs;

/**
 * What stops an agent although its configuration is valid. A save is refused for one that the current publication does not have; a first publication may have
 * them.
 */
const stopping: readonly BlockerCode[] = [
  'provider_unavailable',
  'engine_unavailable',
  'mode_unavailable',
  'model_not_in_catalogue',
  'credential_missing',
];

export const stopsAgent = ({ code }: { readonly code: BlockerCode }): boolean => stopping.includes(code);
