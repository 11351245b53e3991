import { errorCatalogue, type ErrorCode } from '../../libs/errors/dist/index.js';

interface Advice {
  readonly cause: string;
  readonly act: string;
}

/** For each error code, what its cause is and how a client should react. */
const advice: Readonly<Record<ErrorCode, Advice>> = {
  BadRequestError: {
    cause:
      'The request is malformed or breaks a rule. `errors` names every field with its path; a save of a voice stack adds `blockers`.',
    act: 'Correct the named fields and send the request again. An unchanged request fails again.',
  },
  realtime_config_not_runnable: {
    cause:
      'No worker can conduct a call of this agent: a component, a credential or a tool is missing, or the line of its number has no audio.',
    act: 'Read `reason` and `blockers`, and preview the voice stack with `POST /v1/agents/{agent_id}/voice-stack/preview`.',
  },
  navigation_enabled_required: {
    cause: 'A navigation section does not say whether it is on.',
    act: 'Send `enabled` with it.',
  },
  UnauthorizedError: {
    cause: 'There is no key, or it is malformed, unknown, expired or revoked, or the address is not on its list.',
    act: 'Check `Authorization: Bearer tai_…`; `GET /v1/me` shows the scopes of a key.',
  },
  InsufficientBalanceError: {
    cause: 'The wallet does not cover what the request would reserve.',
    act: 'Top up the wallet, then repeat the request with the same Idempotency-Key.',
  },
  ForbiddenError: {
    cause: 'The key lacks a scope, which the message names, or another organization is named.',
    act: 'Use a key that has the [scope](scopes.md), and leave other organizations out.',
  },
  NotFoundError: {
    cause: 'The id does not exist, or belongs to another organization: the response is the same.',
    act: 'Check the id, and whether the key belongs to the same organization.',
  },
  not_found: {
    cause: 'There is no such route; `path` is the requested path.',
    act: 'Compare the path with the [OpenAPI document](openapi.json): upper and lower case and a trailing slash matter.',
  },
  method_not_allowed: { cause: 'The route does not have this method.', act: 'Use one of `allow`.' },
  ConflictError: {
    cause: 'The state of the record does not allow this now, or If-Match names an older version.',
    act: 'Read the record, apply the change to what it is now, and send it with the new ETag. `parley.change` of the SDK does so.',
  },
  control_unavailable: {
    cause: 'The worker or the line of the call does not support the command.',
    act: 'Read `control` of the call before offering it ([live control](live-control.md)).',
  },
  AgentToolsChangedError: {
    cause: '`expected_tools` differs from the stored tools: someone else changed them.',
    act: 'Read the agent, and decide again.',
  },
  revision_conflict: {
    cause: '`base_revision` of the variables is stale.',
    act: 'Read the variables, and save with their revision.',
  },
  WorkflowRevisionConflictError: {
    cause: 'Another save of the workflow came first; `current` is what it saved.',
    act: 'Apply the change to `current`, and save with its revision.',
  },
  PayloadTooLargeError: { cause: 'The body is too large.', act: 'Send less in one request ([limits](limits.md)).' },
  UnsupportedMediaTypeError: {
    cause: 'The route does not accept the content type, or the body is compressed.',
    act: 'Send a content type of the operation, without `Content-Encoding`.',
  },
  SimulationError: {
    cause: 'The simulation cannot run as requested.',
    act: 'Read the message, and correct what it names.',
  },
  SuspensionError: {
    cause:
      'The organization or agent is suspended, the number is suppressed, or a cap of spend, velocity or live calls is reached.',
    act: 'Read the message. Caps reset by themselves; an operator must lift a suspension.',
  },
  outbound_call_queue_full: {
    cause: 'Too many calls of the organization are queued.',
    act: 'Wait for `Retry-After`, and repeat with the same Idempotency-Key.',
  },
  rate_limited: {
    cause:
      'The key or organization sent more requests than it may, or its key or address has too many bytes of bodies in flight.',
    act: 'Wait for `Retry-After`. The SDK does so by itself.',
  },
  internal_error: {
    cause: 'The platform failed. The cause is in its log under `request_id`, not in the response.',
    act: 'Repeat reads, and writes with the same Idempotency-Key; if it still fails, send `request_id` to the operator of the platform.',
  },
  kyc_provider_error: {
    cause:
      "The operator's provider of identity checks failed ([verification](verification.md)); `provider_status` is its HTTP status, null if it did not answer.",
    act: 'Repeat the request; a document can be sent again under its number.',
  },
  provider_error: {
    cause:
      'The provider of a component, asked for its models, refused or failed; `provider_status` is its HTTP status, null if it did not answer. The answer repeats none of its text.',
    act: 'With 401 or 403 replace the secret of the credential; otherwise repeat the request.',
  },
  overloaded: {
    cause: 'The bodies in flight of all clients fill the room that the process has for them.',
    act: 'Wait for `Retry-After`, and repeat with the same Idempotency-Key. The SDK does so by itself.',
  },
  platform_maintenance: {
    cause: 'During maintenance, new work is refused ([rules](reference/maintenance.md)).',
    act: 'Wait for `Retry-After`; reads and calls in progress continue.',
  },
  worker_unreachable: {
    cause: 'No worker received the command for the call in time, or its outcome is unknown.',
    act: 'Follow the call (`GET /v1/calls/{call_id}/live`) before you repeat the command.',
  },
  webhook_retry_requested: {
    cause: 'The platform could not store the webhook of a carrier.',
    act: 'Nothing: the carrier sends it again.',
  },
};

/** Generates docs/error-codes.md. */
export function errorCodesPage(): string {
  const sections = (Object.keys(errorCatalogue) as ErrorCode[]).flatMap((code) => {
    const { status, retryable } = errorCatalogue[code];
    return [
      `## ${code}`,
      '',
      `**${status}**, ${retryable ? 'repeating may help' : 'repeating does not help'}.`,
      '',
      `- Cause: ${advice[code].cause}`,
      `- What to do: ${advice[code].act}`,
      '',
    ];
  });
  return [
    '# Error codes',
    '',
    'Generated from the catalogue of codes. Programs decide by status and `error`; messages are for people and may change. The rules with their tests: [errors](reference/errors.md).',
    '',
    ...sections,
  ].join('\n');
}
