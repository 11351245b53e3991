import {
  optionProblem,
  optionsOf,
  type AgentVoiceStackUpdate,
  type ComponentCredentialKind,
  type FallbackSelection,
} from '@parley/contract';
import { fieldErrors, type FieldError } from '@parley/errors';
import { same } from '../same.rules';

type Components = Pick<AgentVoiceStackUpdate, 'transcriber' | 'model' | 'voice'>;

const kinds = { transcriber: 'stt', model: 'llm', voice: 'tts' } as const;
const names = Object.keys(kinds) as readonly (keyof typeof kinds)[];

/**
 * Checks that the adapters of the components support the options in a write: unknown options and misplaced secrets are refused. Stored components are not
 * checked again.
 * @throws AppError BadRequestError with every invalid option
 */
export function checkComponentOptions(sent: Components, stored?: Components): void {
  const errors = names.flatMap((name) =>
    same(sent[name], stored?.[name]) ? [] : errorsOf(name, kinds[name], sent[name]),
  );
  if (errors.length > 0) throw fieldErrors(errors);
}

function errorsOf(name: string, kind: ComponentCredentialKind, selection: Components['voice']): FieldError[] {
  if (typeof selection !== 'object' || selection === null) return [];
  const { fallbacks = [] } = selection;
  return [
    ...optionErrors(name, kind, selection),
    ...fallbacks.flatMap((one, index) => optionErrors(`${name}.fallbacks[${index}]`, kind, one)),
  ];
}

function optionErrors(
  name: string,
  kind: ComponentCredentialKind,
  { provider, model, options = {} }: FallbackSelection,
): FieldError[] {
  const table = optionsOf(kind, provider, model);
  return Object.entries(options).flatMap(([option, value]): FieldError[] => {
    const path = `${name}.options.${option}`;
    const rule = Object.hasOwn(table, option) ? table[option] : undefined;
    if (rule === undefined) {
      const known = Object.keys(table).join(', ') || 'none';
      const message = `${path} is not an option of ${provider}/${model}, which accepts ${known}`;
      return [{ path, code: 'unknown_field', message }];
    }
    const found = optionProblem(rule, value);
    return found === undefined ? [] : [{ path, code: found.code, message: `${path} ${found.problem}` }];
  });
}
