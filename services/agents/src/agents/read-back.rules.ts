import { readOnlyNamesOf, type AgentVoiceStackUpdate } from '@parley/contract';
import type { Navigation } from './agent-document.rules';
import { meansTheSame } from './navigation.rules';
import { effectiveOpening, visibleTurnTaking } from './tuning.rules';
import type { StoredAgent } from './stored-agent.rules';
import { same } from '../same.rules';

/** Computed by the platform: a body with one of them is a read that is sent back. */
const computedNames = ['cost', 'latency', 'selectable', 'warnings'];

const components = ['transcriber', 'model', 'voice'] as const;

/**
 * A save without what it only sends back as it was read: a default that was read is not stored, so that the agent goes on following it
 * (docs/reference/agents.md#read-back). What has the names that only a read has is a read; a component or a limit without them is a choice, also where it equals
 * the default.
 */
export function withoutReadBack(agent: StoredAgent, body: AgentVoiceStackUpdate): AgentVoiceStackUpdate {
  const { document, compiled } = agent;
  const isRead = computedNames.some((name) => readOnlyNamesOf(body).has(name));
  const unsent = new Set<keyof AgentVoiceStackUpdate>();
  if (isRead && body.languages === undefined && body.language === compiled.projection.language) unsent.add('language');
  if (isRead && same(body.follow_caller, document.follow_caller)) unsent.add('follow_caller');
  if (readOnlyNamesOf(body).has('language_profiles') && same(body.language_profiles, document.language_profiles))
    unsent.add('language_profiles');
  for (const name of components) if (isShown(body[name], compiled.projection[name])) unsent.add(name);
  if (body.opening && same(effectiveOpening(body.opening), effectiveOpening(document.opening))) unsent.add('opening');
  if (body.turn_taking && same(body.turn_taking, visibleTurnTaking(document.turn_taking))) unsent.add('turn_taking');
  const navigation = body.navigation && navigationSent(body.navigation, document.navigation);
  const kept = Object.entries(body).filter(([name]) => !unsent.has(name as keyof AgentVoiceStackUpdate));
  return Object.assign({}, Object.fromEntries(kept), { navigation });
}

const componentFields = ['provider', 'model', 'voice_id', 'options', 'fallbacks'];

/** Whether a component is the one in the read, with a name that only reads contain. */
function isShown(sent: unknown, shown: object): boolean {
  if (typeof sent !== 'object' || sent === null || readOnlyNamesOf(sent).size === 0) return false;
  const fieldOf = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name];
  return componentFields.every((name) => same(fieldOf(sent, name), fieldOf(shown, name)));
}

/** The stored section if it is equivalent; otherwise without the default limits that a read added. */
function navigationSent(
  sent: NonNullable<AgentVoiceStackUpdate['navigation']>,
  stored: Navigation | undefined,
): AgentVoiceStackUpdate['navigation'] {
  if (readOnlyNamesOf(sent).size === 0) return sent;
  if (meansTheSame(sent, stored)) return stored;
  return withoutDefaultLimits(sent, stored);
}

function withoutDefaultLimits(sent: Navigation, stored: Navigation | undefined): Navigation {
  const limitOf = (name: 'max_hold_seconds' | 'max_navigation_seconds') =>
    stored?.[name] === undefined && meansTheSame({ enabled: null, [name]: sent[name] }, undefined)
      ? {}
      : { [name]: sent[name] };
  return { enabled: sent.enabled, ...limitOf('max_hold_seconds'), ...limitOf('max_navigation_seconds') };
}
