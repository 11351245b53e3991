import type { Json } from './row';

interface Reads {
  readonly agent: Json;
  readonly stack: Json;
}

/** A part of an agent that a request changes independently of other parts, and its path in a read. */
export interface Section {
  readonly via: 'update' | 'save';
  readonly send: Json;
  readonly read: (reads: Reads) => unknown;
  readonly saved: unknown;
}

const tuning = (name: string, value: Json): Section => ({
  via: 'save',
  send: { [name]: value },
  read: ({ stack }) => stack[name],
  saved: value,
});

const field = (name: string, value: unknown): Section => ({
  via: 'update',
  send: { [name]: value },
  read: ({ agent }) => agent[name],
  saved: value,
});

/** Sections without common fields. Languages are not included, because a change of them publishes as soon as the agent has languages. */
export const sections: readonly Section[] = [
  tuning('turn_taking', { silence_hold_ms: 400 }),
  tuning('voice_polish', { delivery: 'calm' }),
  tuning('answer_detection', { voicemail: 'off' }),
  tuning('audio_environment', { preset: 'office' }),
  tuning('opening', { first_speaker: 'agent', silence_wait_seconds: 3 }),
  { ...tuning('voice', { provider: 'simulator', model: 'sim-speak-40' }), read: ({ agent }) => agent.voice },
  field('name', 'Another'),
  field('system_prompt', 'Be kind.'),
  field('tools', ['look_up']),
  field('recording_enabled', true),
  field('answers_messages', true),
  field('translation', { enabled: false }),
];
