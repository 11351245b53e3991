import { errorCatalogue, fieldErrorCodes, type ErrorCode } from '@parley/errors';
import type { JsonSchema } from '../schema/json-schema-of';
import { words } from '../schema/descriptions';

const blockers: JsonSchema = {
  type: 'array',
  description: words.blockers,
  items: {
    type: 'object',
    properties: {
      code: { type: 'string', description: words.code },
      scope: {
        type: 'string',
        description:
          'What it is about: `language:<code>`, transcriber, model, voice, `credential:<kind>`, tools, carrier.',
      },
      detail: { type: 'string', description: words.detail },
    },
    required: ['code', 'scope', 'detail'],
    additionalProperties: false,
  },
};
const errors: JsonSchema = {
  type: 'array',
  description: 'Every rule that the request breaks, 100 at most; the message is that of the first one.',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Dotted, list items in brackets.' },
      code: { type: 'string', enum: [...fieldErrorCodes], description: words.code },
      message: { type: 'string', description: words.message },
    },
    required: ['path', 'code', 'message'],
    additionalProperties: false,
  },
};
const seconds: JsonSchema = { type: 'integer', minimum: 0, description: words.retry_after_seconds };
const reason: JsonSchema = { type: 'string', description: 'The code of the first blocker.' };

interface ExtraFields {
  readonly required?: Readonly<Record<string, JsonSchema>>;
  readonly optional?: Readonly<Record<string, JsonSchema>>;
}

/** The extra fields of error bodies (docs/reference/errors.md) by code; codes not listed have none. */
const extraFields: Partial<Record<ErrorCode, ExtraFields>> = {
  BadRequestError: {
    optional: {
      language: { type: 'string', description: 'The language that cannot be published.' },
      reason,
      blockers,
      errors,
    },
  },
  realtime_config_not_runnable: { required: { reason, blockers } },
  not_found: { required: { path: { type: 'string', description: words.path } } },
  method_not_allowed: { required: { allow: { type: 'array', items: { type: 'string' }, description: words.allow } } },
  WorkflowRevisionConflictError: {
    required: { current: { $ref: '#/components/schemas/WorkflowDraft', description: 'The draft that won.' } },
  },
  SimulationError: {
    required: {
      scenario: { type: ['string', 'null'], description: 'Its name; null: the whole suite.' },
      reason: { type: 'string', description: 'Why it cannot run.' },
    },
  },
  outbound_call_queue_full: { required: { retry_after_seconds: seconds } },
  rate_limited: { required: { retry_after_seconds: seconds } },
  kyc_provider_error: {
    required: {
      provider_status: { type: ['integer', 'null'], description: "The provider's HTTP status; null: no response." },
    },
  },
  provider_error: {
    required: {
      provider_status: { type: ['integer', 'null'], description: "The provider's HTTP status; null: no response." },
    },
  },
  overloaded: { required: { retry_after_seconds: seconds } },
  platform_maintenance: { required: { retry_after_seconds: seconds } },
  worker_unreachable: { required: { retry_after_seconds: seconds } },
  internal_error: { required: { request_id: { type: 'string', description: words.request_id } } },
};

const meanings: Readonly<Record<ErrorCode, string>> = {
  BadRequestError: 'Malformed, or breaks a rule; the message names the field.',
  realtime_config_not_runnable: 'The agent could not run a call as it is configured.',
  navigation_enabled_required: 'A navigation section must say whether it is enabled.',
  UnauthorizedError: 'The key is missing, malformed, unknown, expired or revoked.',
  InsufficientBalanceError: 'The wallet cannot cover what the request would reserve.',
  ForbiddenError: 'The key lacks a scope, or the request names another organization.',
  NotFoundError: 'No such record in this organization.',
  not_found: 'No such route.',
  method_not_allowed: 'The route exists, the method does not.',
  ConflictError: 'The request conflicts with the present state.',
  control_unavailable: 'What conducts the call, or its line, cannot do this.',
  AgentToolsChangedError: 'The tools are no longer the expected ones; nothing was written.',
  revision_conflict: 'The base revision is stale; nothing was written.',
  WorkflowRevisionConflictError: 'The draft was changed by another save; `current` is the winning one.',
  PayloadTooLargeError: 'The body is larger than the limit.',
  UnsupportedMediaTypeError: 'The content encoding is not identity.',
  SimulationError: 'The simulation cannot run as asked.',
  SuspensionError: 'A control of the workspace refuses the action.',
  outbound_call_queue_full: 'The outbound queue is full.',
  rate_limited:
    'A limit is used up: of requests, or of a root key, with its sessions and minted keys, and its organization. By default 60 and 300 mints and as many voice previews a minute, and 10 and 100 open event streams and audio connections. Or the bodies in flight of its key or address find no room.',
  internal_error: 'The request could not be completed.',
  kyc_provider_error: 'The verification provider failed.',
  provider_error: 'The provider of a component failed.',
  overloaded: 'The process has no room for another body.',
  platform_maintenance: 'A maintenance window is open; nothing was changed.',
  worker_unreachable: 'The worker of the call did not answer in time.',
  webhook_retry_requested: 'The webhook must be delivered again.',
};

/** Text that is added to the description of an error's schema; responses with several errors repeat only the meaning. */
const additions: Partial<Record<ErrorCode, string>> = {
  ConflictError:
    ' Where it would remove tools that a workflow runs, `uses` names each node: `{workflow, node_id, tool}`.',
};

/** The name of the schema of an error's body. */
export const errorSchemaName = (code: ErrorCode): string => `error.${code}`;

/** The schema of an error's body: `error`, `message` and the extra fields of its code, and no other fields. */
export function errorSchema(code: ErrorCode): JsonSchema {
  const { required = {}, optional = {} } = extraFields[code] ?? {};
  return {
    type: 'object',
    description: `${meanings[code]}${additions[code] ?? ''}`,
    properties: {
      error: { const: code, description: words.error },
      message: { type: 'string', description: words.message },
      ...required,
      ...optional,
    },
    required: ['error', 'message', ...Object.keys(required)],
    additionalProperties: false,
  };
}

export const allErrorCodes = Object.keys(errorCatalogue) as ErrorCode[];
