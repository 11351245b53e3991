import type { AgentConfiguration, AgentTurnTaking, AgentView, AgentVoiceStackUpdate, AgentUpdate } from '@parley/sdk';
import { t } from '../../text/text';

export type Tools = AgentView['tools'];

/** The editor's state: each setting separately. */
export interface Draft {
  readonly name: string;
  readonly recording: boolean;
  readonly prompt: string;
  readonly first: string;
  readonly firstSpeaker: 'agent' | 'callee';
  readonly languages: readonly string[];
  /** `provider/model/voice_id` and `provider/model`. */
  readonly voice: string;
  readonly model: string;
  readonly transcriber: string;
  readonly turnTaking: AgentTurnTaking;
  readonly tools: Tools;
}

export type Field = keyof Draft;

const idOf = ({ provider, model, voice_id: voice }: { provider: string; model: string; voice_id?: string }): string =>
  [provider, model, ...(voice === undefined ? [] : [voice])].join('\n');

export function draftOf({ agent, voice_stack: stack }: AgentConfiguration): Draft {
  return {
    name: agent.name ?? '',
    recording: agent.recording_enabled,
    prompt: stack.system_prompt ?? agent.system_prompt ?? '',
    first: stack.first_message ?? '',
    firstSpeaker: stack.opening?.first_speaker ?? 'callee',
    languages: stack.language_profiles?.languages ?? [],
    voice: stack.voice === undefined ? '' : idOf(stack.voice),
    model: stack.model === undefined ? '' : idOf(stack.model),
    transcriber: stack.transcriber === undefined ? '' : idOf(stack.transcriber),
    turnTaking: stack.turn_taking ?? {},
    tools: agent.tools,
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const changedFields = (from: Draft, to: Draft): Field[] =>
  (Object.keys(to) as Field[]).filter((field) => !same(from[field], to[field]));

const selection = (text: string) => {
  const [provider = '', model = '', voice] = text.split('\n');
  return { provider, model, ...(voice !== undefined && { voice_id: voice }) };
};

export interface Save {
  readonly agent: AgentUpdate;
  readonly voice_stack: AgentVoiceStackUpdate;
}

/** Only the changed settings: concurrent saves of other settings are kept. */
export function saveOf(from: Draft, to: Draft): Save {
  const changed = new Set(changedFields(from, to));
  const opening = { first_speaker: to.firstSpeaker };
  return {
    agent: {
      ...(changed.has('name') && { name: to.name }),
      ...(changed.has('recording') && { recording_enabled: to.recording }),
      ...(changed.has('tools') && { tools: to.tools }),
    },
    voice_stack: {
      ...(changed.has('prompt') && { system_prompt: to.prompt === '' ? null : to.prompt }),
      ...(changed.has('first') && { first_message: to.first === '' ? null : to.first }),
      ...(changed.has('firstSpeaker') && { opening }),
      ...(changed.has('languages') && { languages: to.languages.length === 0 ? null : [...to.languages] }),
      ...(changed.has('voice') && { voice: selection(to.voice) }),
      ...(changed.has('model') && { model: selection(to.model) }),
      ...(changed.has('transcriber') && { transcriber: selection(to.transcriber) }),
      ...(changed.has('turnTaking') && { turn_taking: to.turnTaking }),
    },
  };
}

/** Display text of a setting. */
export function shownOf(draft: Draft, field: Field): string {
  const value = draft[field];
  if (typeof value === 'string') return value.replaceAll('\n', field === 'prompt' || field === 'first' ? '\n' : ' · ');
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'boolean' ? t(value ? 'on' : 'off') : JSON.stringify(value, null, 2);
}
