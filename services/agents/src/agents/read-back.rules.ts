import { readOnlyNamesOf, type AgentVoiceStackUpdate } from '@parley/contract';
import type { Navigation } from './agent-document.rules';
import { meansTheSame } from './navigation.rules';
import { effectiveOpening, visibleTurnTaking } from './tuning.rules';
import type { StoredAgent } from './stored-agent.rules';
import { same } from '../same.rules';

/** Fields that the platform computes. A body that contains one of them is a read that was sent back. */
const computedNames = ['cost', 'latency', 'selectable', 'warnings'];

const components = ['transcriber', 'model', 'voice'] as const;

/**
 * Removes from a save what the client only sends back as it read it. Default values that a read showed are not stored, so that the agent keeps following the
 * default (docs/reference/agents.md#read-back). A component or section that contains read-only fields comes from a read. Without them it is a choice of the
 * client, even if it equals the default.
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

/** Whether a component equals the one in the read and contains a field that only reads have. */
function isShown(sent: unknown, shown: object): boolean {
  if (typeof sent !== 'object' || sent === null || readOnlyNamesOf(sent).size === 0) return false;
  const fieldOf = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name];
  return componentFields.every((name) => same(fieldOf(sent, name), fieldOf(shown, name)));
}

/** Returns the stored section if the sent one is equivalent; otherwise the sent one without the default limits that a read added. */
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
