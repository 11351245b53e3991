import type { EffectiveTuning } from '@parley/contract';

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/**
 * The maximum number of characters that values add to a text: several times as many as the variables of a call can have. A prompt may repeat a name ten
 * thousand times, and a text of gigabytes would end the process with all its calls.
 */
const mostOfValues = 200_000;

/** Replaces `{{name}}` with the variable's value (docs/reference/variables-and-workflows.md); an absent or null variable becomes empty, and so does one for which there is no more room. */
export function renderTemplate(template: string, variables: Readonly<Record<string, unknown>>): string {
  let room = mostOfValues;
  return template.replace(placeholder, (_, name: string) => {
    const text = textOf(Object.hasOwn(variables, name) ? variables[name] : undefined);
    room -= text.length;
    return room < 0 ? '' : text;
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The tuning of a call, with variables replaced in every spoken text. */
export function withVariables(tuning: EffectiveTuning, variables: Readonly<Record<string, unknown>>): EffectiveTuning {
  const spoken = (text: string): string => renderTemplate(text, variables);
  const optional = (text: string | null): string | null => (text === null ? null : spoken(text));
  const { voice_polish: polish, answer_detection: detection } = tuning;
  const { acknowledgements, tool_wait: wait, unrecognised_speech: unrecognised } = polish;
  return {
    ...tuning,
    voice_polish: {
      ...polish,
      end_of_call_phrase: optional(polish.end_of_call_phrase),
      acknowledgements: { ...acknowledgements, phrases: acknowledgements.phrases.map(spoken) },
      tool_wait: { ...wait, phrases: wait.phrases.map(spoken) },
      unrecognised_speech: { ...unrecognised, phrase: optional(unrecognised.phrase) },
    },
    answer_detection: { ...detection, voicemail_message: optional(detection.voicemail_message) },
  };
}
