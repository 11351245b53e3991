import type { ClassWords } from './class-words';

/** Descriptions of fields of keys, organizations, billing, endpoints, events and errors. */
export const platformWords: ClassWords = {
  EventEnvelope: { type: 'The type of the event; tells the shapes of `data` apart.', created_at: 'When it happened.' },
  AgentEndpointRecord: { name: 'A name for people.' },
  AgentEndpoint: {
    events:
      'Types of events to deliver. Absent or empty: call.created, call.answered, media.started, call.ended, call.completed, call.failed, call.canceled.',
  },
  AgentEndpointUpdate: { events: 'Replaces the whole list; at least one.' },
  DeliverySummary: { status: '`pending`, then `delivered`, `failed` or `canceled`; `parked`: waits to be recovered.' },
  DeliveryRecord: { attempts: 'Every attempt, the first one first.' },
  ScopeCatalogueView: {
    bundles: 'Names that stand for several scopes.',
    groups: 'The scopes that customers’ keys can have, by namespace.',
    operator_only: 'Scopes that only operators’ keys have.',
    specialized: 'Scopes of special principals.',
  },
  ScopeBundleView: {
    id: 'The name of the bundle, as it goes into `scopes`.',
    expands_to: 'The scopes that it stands for now.',
  },
  ApiKeyCreate: { name: 'A name for people.' },
  ComponentCredentialRecord: { kind: 'Which kind of component it is for.' },
  ComponentCredentialCreate: { kind: 'Which kind of component it is for.' },
  LeasedCredential: { kind: 'Which kind of component it is for.' },
  ComponentCredentialTest: { detail: 'The answer of the provider as text, without the secret.' },
  CarrierCredentialCreate: {
    auth_token: 'The token of the account; written and never shown.',
    provider: 'The carrier.',
  },
  CarrierCredentialRecord: { provider: 'The carrier.' },
  AuditEntry: {
    actor_key_id: 'The key that acted; null for the platform itself.',
    subject: 'The record that was acted on.',
    detail: 'What was changed; never a secret.',
    action: 'What was done, such as key.mint.',
  },
  OrganizationRecord: { status: '`suspended` organizations take and place no calls.' },
  MaintenanceUpdate: { message: 'Shown with the refusals.' },
  MaintenanceRecord: {
    message: 'Shown with the refusals; null if none was given.',
    retry_after_seconds: 'Seconds that remain.',
  },
  SuppressionCreate: { reason: 'Why the numbers are suppressed.' },
  SuppressionRecord: { reason: 'Why it is suppressed.' },
  WalletRecord: { available: 'What can be reserved: `balance` minus `reserved`.' },
  TopUpRecord: { status: '`pending` until an operator confirms it.', amount: 'The amount.' },
  LedgerEntry: { kind: 'The kind of movement.' },
  OffsetPage: { total: 'How many versions there are.' },
};
