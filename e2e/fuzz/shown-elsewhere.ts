import type { Answer } from '../api';
import { isObject } from '../documented/forms';
import { fieldsOf, type Operation } from './openapi';
import type { World } from './world';

export type Json = Readonly<Record<string, unknown>>;

/** The values that were sent, and a read that contains them under the same names. */
export interface Part {
  readonly values: Json;
  readonly read: Json;
}

/** The read that contains each field of a body: usually the response; for an agent its two reads. */
export async function partsShown(
  world: World,
  { id, answer: schema }: Operation,
  sent: Json,
  answer: Answer,
): Promise<readonly Part[]> {
  if (id === 'save-agent-configuration') {
    const path = `/v1/agents/${String((answer.body.agent as Json).agent_id)}`;
    const of = (part: string): Json => renamed((sent[part] ?? {}) as Json);
    return [
      agentPart(of('agent'), (await world.customerApi.get(path)).body),
      stackPart(of('voice_stack'), (await world.customerApi.get(`${path}/voice-stack`)).body),
    ];
  }
  if (id === 'preview-agent') {
    // A preview of an agent that does not exist shows the stack as it would be stored, under the field name of the request. A blocked stack would not be stored.
    if ((answer.body.blockers as unknown[]).length > 0) return [];
    const { values, read } = stackPart(renamed((sent.voice_stack ?? {}) as Json), answer.body.voice_stack as Json);
    // Null clears a field: what is shown is its default.
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    return [{ values: { voice_stack: given }, read: { voice_stack: read } }];
  }
  if (!['create-agent', 'update-agent', 'save-voice-stack'].includes(id))
    return [{ values: asGranted(pick(sent, fieldsOf(schema))), read: answer.body }];
  const path = `/v1/agents/${String(answer.body.agent_id)}`;
  const values = renamed(sent);
  return [
    agentPart(values, (await world.customerApi.get(path)).body),
    stackPart(values, (await world.customerApi.get(`${path}/voice-stack`)).body),
  ];
}

const pick = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

export const omit = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/**
 * A key has each scope once, however often it was requested; an empty list of events means the default set
 * (docs/reference/endpoints-and-events.md#default-subscription).
 */
function asGranted({ scopes, events, ...rest }: Json): Json {
  return {
    ...rest,
    ...(Array.isArray(scopes) ? { scopes: [...new Set(scopes)] } : {}),
    ...(Array.isArray(events) && events.length > 0 ? { events } : {}),
  };
}

/** begin_message is the old name of first_message (docs/reference/agents.md). */
function renamed({ begin_message, ...rest }: Json): Json {
  return begin_message === undefined ? rest : { ...rest, first_message: begin_message };
}

const agentFields = [
  'organization_id',
  'project_id',
  'mode',
  'status',
  'name',
  'language',
  'system_prompt',
  'first_message',
  'voice',
];
const otherAgentFields = [
  'tools',
  'translation',
  'recording_enabled',
  'answers_messages',
  'webhook_url',
  'audio_stream_url',
  'metadata',
];
/** These sections are stored in the voice stack, and metadata in a read contains them as stored (docs/reference/agents.md#update). */
const metadataSections = ['navigation', 'opening', 'follow_caller'];

/** The fields shown by GET /v1/agents/{agent_id}. */
function agentPart(sent: Json, read: Json): Part {
  const free = (value: Json): Json =>
    isObject(value.metadata) ? { ...value, metadata: omit(value.metadata, metadataSections) } : value;
  return { values: free(pick(sent, [...agentFields, ...otherAgentFields])), read: free(read) };
}

const stackFields = [
  'languages',
  'language_profiles',
  'follow_caller',
  'voice_frontend',
  'transcriber',
  'model',
  'opening',
];
const tuningFields = ['turn_taking', 'voice_polish', 'answer_detection', 'navigation', 'audio_environment'];

/** The fields shown by GET /v1/agents/{agent_id}/voice-stack. */
function stackPart(sent: Json, read: Json): Part {
  const profiles = read.language_profiles as Json;
  const ofMetadata = isObject(sent.metadata) ? pick(sent.metadata, metadataSections) : {};
  const values = pick({ ...ofMetadata, ...sent }, [...stackFields, ...tuningFields]);
  if (isObject(values.audio_environment) && 'invalid' in values.audio_environment)
    delete (values as Record<string, unknown>).audio_environment;
  return {
    values: { ...values, ...normalised(values) },
    read: { ...read, languages: profiles.languages, language_profiles: profiles.profiles },
  };
}

/** Converts the sections that are stored in another form than they are sent in (docs/reference/voice-stack.md#languages, docs/reference/tuning.md). */
function normalised({ language_profiles: profiles, voice_polish: polish, answer_detection: detection }: Json): Json {
  return {
    ...(isObject(profiles) ? { language_profiles: profiles.profiles } : {}),
    ...(isObject(polish) ? { voice_polish: polishAsStored(polish) } : {}),
    ...(isObject(detection) ? { answer_detection: detectionAsStored(detection) } : {}),
  };
}

/** Responding to unrecognized speech is the default, so only `enabled: false` is stored. */
function polishAsStored(polish: Json): Json {
  const speech = polish.unrecognised_speech;
  return isObject(speech) && speech.enabled === true
    ? { ...polish, unrecognised_speech: omit(speech, ['enabled']) }
    : polish;
}

/** Messages are stored by language, with white space collapsed and without blank ones. */
function detectionAsStored(detection: Json): Json {
  if (!isObject(detection.voicemail_messages)) return detection;
  const kept = Object.entries(detection.voicemail_messages)
    .map(([locale, text]) => [
      locale.toLowerCase().split(/[-_]/)[0],
      String(text)
        .replace(/[\t\n\r ]+/g, ' ')
        .trim(),
    ])
    .filter(([, text]) => text !== '');
  return { ...detection, voicemail_messages: Object.fromEntries(kept) as Json };
}
