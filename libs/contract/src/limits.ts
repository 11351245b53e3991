import { eventTypes } from './events';

/**
 * Limits that are used in more than one place. Bounds are inclusive. The bounds of a single field are declared in its class instead (`boundsOf` reads them).
 */

/** Maximum nesting depth of objects and arrays; the body itself is level 1 (docs/reference/requests.md). */
export const maxJsonDepth = 64;

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const limits = {
  /** Attempts started per second, for an endpoint with a limit. */
  deliveriesPerSecond: { min: 1, max: 1000 },
  /** Retention of calls, their content, recordings or messages, in days. */
  retentionDays: { min: 1, max: 3650 },
  /** Hours for which a previous signing secret still signs after a rotation. */
  secretOverlapHours: { min: 0, max: 168, default: 24 },
  /** Number of event types in a filter of the event log. */
  eventLogTypes: { min: 1, max: eventTypes.length },
  /** Names in the metadata of a call by which lists find it. */
  searchedMetadataName: { min: 1, max: 64 },
  /** Values of them. */
  searchedMetadataValue: { min: 0, max: 256 },
  /** How many of one call, in the order of the names. */
  searchedMetadataNames: 64,
  /** Number of items in languages, language_profiles and published lists, and of keys in voicemail_messages. */
  languages: { min: 1, max: 32 },
  languageCode: { min: 2, max: 35 },
  provider: { min: 1, max: 120 },
  model: { min: 1, max: 160 },
  voiceId: { min: 1, max: 512 },
  greeting: { min: 0, max: 1000 },
  endOfCallPhrase: { min: 0, max: 300 },
  unrecognizedSpeechPhrase: { min: 0, max: 300 },
  phrases: { max: 6 },
  phrase: { min: 1, max: 40 },
  voicemailMessage: { min: 0, max: 400 },
  voicemailMessages: { max: 32 },
  /** On phone calls, lower thresholds are raised to this value. */
  phoneSpeechFloorMs: 150,
  /** Maximum of actions per connection. */
  connectionActions: 32,
  /** Maximum of bytes read from a tool's response, and of bytes of its result. */
  toolResultBytes: 64 * 1024,
  /** Maximum of tools per agent, including the three of navigation. */
  toolNames: 32,
  allowedCidrs: { min: 1, max: 20 },
  /** Limit for one key. */
  requestsPerMinute: { min: 1, max: 100_000 },
  /** Maximum of destinations of the built-in tool transfer_call. */
  transferDestinations: 32,
  /** Maximum of numbers besides the other end of the call to which the built-in tool send_sms may send. */
  messageRecipients: 32,
  toolName: { min: 1, max: 64 },
  toolTimeoutMs: { min: 1000, max: 30000 },
  variables: { min: 0, max: 64 },
  workflowNodes: { min: 0, max: 200 },
  workflowEdges: { min: 0, max: 400 },
  /** Maximum size of a serialized workflow definition, because calls contain it. */
  workflowBytes: 64 * 1024,
  /** Validity of a phone PIN. */
  phonePinSeconds: { min: 60, max: 3600 },
  /** Wrong PINs per phone number within an hour; correct ones are not counted. */
  wrongPinsPerHour: 5,
  phonePinSecondsDefault: 900,
  templateText: { min: 1, max: 1600 },
  /** Number of characters of a message. */
  messageBody: {
    min: 1,
    max: 1600,
    pattern: /[\p{L}\p{N}\p{P}\p{S}]/u,
    description: 'text with a visible character',
  },
  /** Number of characters of a message's purpose, which the sender chooses. */
  messagePurpose: { min: 1, max: 64 },
  templateSlot: { min: 1, max: 500 },
  templateSlots: { min: 0, max: 16 },
  /** Number of characters of a voice preview: about forty seconds of speech. */
  previewText: { min: 1, max: 500 },
  name: { min: 0, max: 200 },
  systemPrompt: { min: 0, max: 100_000 },
  firstMessage: { min: 0, max: 10_000 },
  /** Number of characters of a component credential's secret; service account keys are long. */
  componentSecret: { min: 1, max: 8192 },
  metadataBytes: 64 * 1024,
  /** Maximum size of a JSON body. */
  bodyBytes: 1024 * 1024,
  /** Maximum size of the body of a route without fields, of a visitor's message, and of a sign-in. */
  smallBodyBytes: 16 * 1024,
  /** Maximum size of the form of a carrier's webhook. */
  carrierFormBytes: 64 * 1024,
  pageSize: { min: 1, max: 100 },
  pageSizeDefault: 20,
  pageBytes: 1024 * 1024,
  idempotencyKey: { min: 1, max: 255 },
  /** One million USD in micro-USD. */
  topUpMicros: 1_000_000_000_000,
  /** Maximum value of an organization's count limits. */
  controlCount: 1_000_000,
  suppressionsAtOnce: { min: 1, max: 10_000 },
  /** Number of countries in a list of the outbound policy. */
  policyCountries: { min: 1, max: 300 },
  /** Limits of a call's scheduled_at; a time at most `pastSeconds` ago counts as now. */
  scheduledCall: { pastSeconds: 60, aheadDays: 365 },
  /** Concurrent calls of a campaign. */
  campaignConcurrent: { min: 1, max: 1000 },
  campaignConcurrentDefault: 10,
  /** Conversations of a public demo in a day, of all visitors and of one address. */
  demoDailyLimit: { min: 1, max: 10_000, default: 100 },
  demoAddressLimit: { min: 1, max: 1_000, default: 10 },
  demoSpendCapMicros: 5_000_000,
  demoDays: { default: 7, max: 366 },
  campaignCallsPerMinute: { min: 1, max: 10_000 },
  campaignCallsPerMinuteDefault: 60,
  /** A percentage of the last 50 attempts. */
  campaignFailurePercentDefault: 80,
  /** Number of calls per contact in total. */
  retryAttempts: { min: 1, max: 10 },
  retryDelayMinutes: { min: 0, max: 10_080 },
  contactsAtOnce: { min: 1, max: 1000 },
  contactsOfCampaign: 1_000_000,
  /** Maximum size of a contact's variables, and of its metadata. */
  contactBytes: 16 * 1024,
  /** Maximum size of an upload of contacts as text/csv. */
  contactsCsvBytes: 64 * 1024 * 1024,
  /** Maximum of rows of an upload that are left out because they are invalid. */
  rejectedRows: 10_000,
  /** Maximum of turns that a worker reports during a call. */
  reportedTurns: 10_000,
  turnsPerReport: 50,
  /** Maximum per organization, per knowledge base and per agent. */
  knowledgeBases: 100,
  documentsOfBase: 1_000,
  /** Size of the parts in which the content of a document passes through the platform. */
  documentPartBytes: 64 * 1024,
  knowledgeBasesOfAgent: 10,
  /** Maximum size of a document's content, and of the text extracted from it. */
  documentBytes: 5 * 1024 * 1024,
  documentPages: 500,
  documentCharacters: 2_000_000,
  /** Documents of a verification, each of at most `documentBytes`, and the bytes of all of them. */
  verificationDocuments: 10,
  verificationBytes: 20 * 1024 * 1024,
  /** Maximum of chunks of all documents of a knowledge base. */
  chunksOfBase: 20_000,
  /** Maximum of characters of a document sent as JSON. */
  knowledgeTextCharacters: 500_000,
  knowledgeQuestionCharacters: 1_000,
  knowledgeHits: { min: 1, max: 20, default: 5 },
  /** Dimensions of the vectors of chunks. */
  embeddingDimensions: { min: 1, max: 2_000 },
  /** Maximum size of the snapshot of a call in progress, from which another worker continues the call. */
  snapshotBytes: 64 * 1024,
  recordingPartBytes: 1024 * 1024,
  /** One per second of the longest call. */
  recordingParts: 1_740,
  /** Maximum size of all parts: the longest call of 1,740 s in two channels of 8,000 samples per second, with one byte per sample. */
  recordingBytes: 1_740 * 16_000,
} as const;

/** Platform defaults that are not the default of a body field; those of body fields are declared with `@Default`. */
export const defaults = {
  toolWaitSoundSeconds: 15,
  voiceFrontend: 'cascade',
  followCallerScope: 'selected',
} as const;
