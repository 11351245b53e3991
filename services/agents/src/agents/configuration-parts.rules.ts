import type { AgentConfigurationSave, AgentUpdate, AgentVoiceStackUpdate } from '@parley/contract';
import { AppError, fieldErrors, invalidField, type FieldError } from '@parley/errors';
import { same } from '../same.rules';
import { agentView } from './agent-view.rules';
import { firstMessageOf } from './aliases.rules';
import { withoutReadBack } from './read-back.rules';
import type { StoredAgent } from './stored-agent.rules';

/** The settings that exist both in the agent and in the voice stack. */
const sharedFields = ['language', 'system_prompt', 'first_message', 'voice', 'tools'] as const;
type SharedField = (typeof sharedFields)[number];

/** A save of the whole configuration, split so that each setting is in exactly one part. */
export interface ConfigurationParts {
  readonly agent: AgentUpdate;
  readonly voiceStack: AgentVoiceStackUpdate;
  /** Names of the settings in `voiceStack` that the body contains in `agent`. */
  readonly moved: ReadonlySet<string>;
}

/**
 * For each shared setting, uses the part that changes it: a client that reads both parts and changes one sends the other unchanged. All shared settings are put
 * into the voice stack, so that they are validated together with the languages of the same save.
 * @throws AppError BadRequestError if the parts change a setting differently
 */
export function configurationParts(stored: StoredAgent, body: AgentConfigurationSave): ConfigurationParts {
  const shown = agentView(stored);
  const agent = withoutAlias(body.agent);
  const voiceStack = withoutAlias(withoutReadBack(stored, body.voice_stack));
  const isChange = (name: SharedField, sent: unknown): boolean =>
    sent !== undefined && !same(sent ?? undefined, shown[name]);
  const moved = new Map<SharedField, unknown>();
  for (const name of sharedFields) {
    const [ofAgent, ofStack] = [agent[name], voiceStack[name]];
    const inStack = isChange(name, ofStack);
    if (!isChange(name, ofAgent)) continue;
    if (inStack && !same(ofAgent, ofStack))
      throw invalidField(
        `voice_stack.${name}`,
        'conflict_with',
        `differs from agent.${name}, and both differ from the stored value`,
      );
    moved.set(name, ofAgent);
  }
  const unchanged = sharedFields.filter((name) => !isChange(name, voiceStack[name]));
  return {
    agent: without(agent, sharedFields),
    voiceStack: Object.assign(without(voiceStack, unchanged), Object.fromEntries(moved)),
    moved: new Set<string>(moved.keys()),
  };
}

interface WithAlias {
  readonly first_message?: string | null;
  readonly begin_message?: string | null;
}

function withoutAlias<T extends WithAlias>(part: T): T {
  const message = firstMessageOf(part);
  return Object.assign(
    without(part, ['begin_message' as const]),
    message === undefined ? {} : { first_message: message },
  );
}

const without = <T extends object>(part: T, names: readonly (keyof T)[]): T =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name as keyof T))) as T;

/** Rewrites the field paths in an error of one part to paths in the whole body. */
export function inWholeBody(error: unknown, part: 'agent' | 'voice_stack', moved: ReadonlySet<string>): unknown {
  const errors = error instanceof AppError ? (error.fields['errors'] as readonly FieldError[] | undefined) : undefined;
  if (errors === undefined) return error;
  return fieldErrors(
    errors.map(({ path, code, message }) => {
      const of = moved.has(/^\w+/.exec(path)?.[0] ?? '') ? 'agent' : part;
      return { path: `${of}.${path}`, code, message: `${of}.${message}` };
    }),
  );
}
