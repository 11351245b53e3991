import { eventTypes } from './events';

/**
 * Limits that more than one place applies. Bounds are inclusive. The bounds of a single field are in its class (`boundsOf` reads them),
 * not here.
 */

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const limits = {
  /** Attempts begun in a second, of an endpoint with a limit. */
  deliveriesPerSecond: { min: 1, max: 1000 },
  /** Days for which calls, their content, recordings or messages are kept. */
  retentionDays: { min: 1, max: 3650 },
  /** Hours for which a rotated signing secret goes on signing next to the new one. */
  secretOverlapHours: { min: 0, max: 168, default: 24 },
  /** Event types named in a filter of the event log. */
  eventLogTypes: { min: 1, max: eventTypes.length },
  /** Items of languages, language_profiles, published lists; keys of voicemail_messages. */
  languages: { min: 1, max: 32 },
  languageCode: { min: 2, max: 35 },
  provider: { min: 1, max: 120 },
  model: { min: 1, max: 160 },
  voiceId: { min: 1, max: 512 },
  greeting: { min: 0, max: 1000 },
  endOfCallPhrase: { min: 0, max: 300 },
  unrecognisedSpeechPhrase: { min: 0, max: 300 },
  phrases: { min: 0, max: 6 },
  phrase: { min: 1, max: 40 },
  voicemailMessage: { min: 0, max: 400 },
  voicemailMessages: { min: 0, max: 32 },
  /** Lower thresholds are raised to this on phone calls. */
  phoneSpeechFloorMs: 150,
  /** Requests that one connection can make. */
  connectionActions: 32,
  /** Of the answer of a tool that are read, and of its result. */
  toolResultBytes: 64 * 1024,
  /** Tool names of an agent, the three of navigation included. */
  toolNames: 32,
  allowedCidrs: { min: 1, max: 20 },
  /** Of a key. */
  requestsPerMinute: { min: 1, max: 100_000 },
  /** Of the built-in tool transfer_call. */
  transferDestinations: 32,
  toolName: { min: 1, max: 64 },
  toolTimeoutMs: { min: 1000, max: 30000 },
  variables: { min: 0, max: 64 },
  workflowNodes: { min: 0, max: 200 },
  workflowEdges: { min: 0, max: 400 },
  /** Of a workflow's definition, serialized: calls carry it. */
  workflowBytes: 64 * 1024,
  /** How long a phone PIN stands. */
  phonePinSeconds: { min: 60, max: 3600 },
  /** Wrong PINs of a number within an hour; right ones do not count. */
  wrongPinsPerHour: 5,
  phonePinSecondsDefault: 900,
  templateText: { min: 1, max: 1600 },
  /** Characters of a message. */
  messageBody: { min: 1, max: 1600 },
  /** What a message is for, in the sender's own word. */
  messagePurpose: { min: 1, max: 64 },
  templateSlot: { min: 1, max: 500 },
  templateSlots: { min: 0, max: 16 },
  /** Of a voice preview: about forty seconds of speech. */
  previewText: { min: 1, max: 500 },
  name: { min: 0, max: 200 },
  systemPrompt: { min: 0, max: 100_000 },
  firstMessage: { min: 0, max: 10_000 },
  /** Characters of a component credential's secret; service account keys are long. */
  componentSecret: { min: 1, max: 8192 },
  metadataBytes: 64 * 1024,
  bodyBytes: 1024 * 1024,
  pageSize: { min: 1, max: 100 },
  pageSizeDefault: 20,
  pageBytes: 1024 * 1024,
  idempotencyKey: { min: 1, max: 255 },
  /** Micro-USD: a million USD. */
  topUpMicros: 1_000_000_000_000,
  /** What a limit of an organization may count to. */
  controlCount: 1_000_000,
  suppressionsAtOnce: { min: 1, max: 10_000 },
  /** Countries on one list of outbound policy. */
  policyCountries: { min: 1, max: 300 },
  /** scheduled_at of a call: what is no longer ago is now. */
  scheduledCall: { pastSeconds: 60, aheadDays: 365 },
  /** Calls of a campaign that are not over. */
  campaignConcurrent: { min: 1, max: 1000 },
  campaignConcurrentDefault: 10,
  campaignCallsPerMinute: { min: 1, max: 10_000 },
  campaignCallsPerMinuteDefault: 60,
  /** Of the last 50 attempts. */
  campaignFailurePercentDefault: 80,
  /** Calls to one contact in all. */
  retryAttempts: { min: 1, max: 10 },
  retryDelayMinutes: { min: 0, max: 10_080 },
  contactsAtOnce: { min: 1, max: 1000 },
  contactsOfCampaign: 1_000_000,
  /** Of a contact's variables, and of its metadata. */
  contactBytes: 16 * 1024,
  /** Of an upload of contacts as text/csv. */
  contactsCsvBytes: 64 * 1024 * 1024,
  /** Turns of one call that a worker reports while it goes on. */
  reportedTurns: 10_000,
  turnsPerReport: 50,
  /** Of an organization, of a base and of an agent. */
  knowledgeBases: 100,
  documentsOfBase: 1_000,
  knowledgeBasesOfAgent: 10,
  /** Of the content of a document, and of the text that is found in it. */
  documentBytes: 5 * 1024 * 1024,
  documentPages: 500,
  documentCharacters: 2_000_000,
  /** Pieces of all documents of a base. */
  chunksOfBase: 20_000,
  /** Of a document that is sent as JSON. */
  knowledgeTextCharacters: 500_000,
  knowledgeQuestionCharacters: 1_000,
  knowledgeHits: { min: 1, max: 20, default: 5 },
  /** Of a call in progress, from which another worker goes on. */
  snapshotBytes: 64 * 1024,
  recordingPartBytes: 1024 * 1024,
  /** One for each second of the longest call. */
  recordingParts: 1_740,
  /** Of all parts: the longest call of 1,740 s in two channels of 8,000 samples a second, one byte each. */
  recordingBytes: 1_740 * 16_000,
} as const;

/** Defaults of the platform that no field of a body states; a field's own default is its `@Default`. */
export const defaults = {
  toolWaitSoundSeconds: 15,
  voiceFrontend: 'cascade',
  followCallerScope: 'selected',
} as const;
