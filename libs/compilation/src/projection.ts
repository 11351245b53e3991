import type { Blocker, ComponentView, ProjectedFigures, VoiceStackProjection } from '@parley/contract';
import { unlistedComponents } from './blockers';
import type { Figures } from './catalogue';
import { runsTheStack, type Resolved } from './resolved';
import { navigationIneligibility } from './navigation';
import { componentKey, type Chosen } from './stack';

/** The computed part of the voice-stack read (docs/reference/voice-stack.md#read): components, cost, latency, selectable and warnings. */
export function project(resolved: Resolved, blockers: readonly Blocker[]): VoiceStackProjection {
  const { configuration, stack, profiles, primaryLanguage } = resolved;
  const follows = configuration.follow_caller?.enabled === true && profiles.length > 0;
  const voice = stack.voice.found?.entry;
  return {
    language: primaryLanguage,
    transcriber: viewOf(stack.transcriber),
    model: viewOf(stack.model),
    voice: {
      ...viewOf(stack.voice),
      ...(stack.voice.voiceId === '' ? {} : { voice_id: stack.voice.voiceId }),
      delivery_control: voice?.delivery_control ?? 'unsupported',
      delivery_profiles: { ...voice?.delivery_profiles },
    },
    voice_label: stack.voice.label ?? null,
    cost: cost(resolved),
    latency: latency(resolved),
    selectable: blockers.length === 0,
    warnings: warnings(resolved, blockers),
    navigation_ineligible_reason: navigationIneligibility(resolved),
    published: {
      languages: profiles.map((profile) => profile.locale),
      follow_caller: follows ? { enabled: true, scope: configuration.follow_caller?.scope ?? 'selected' } : null,
      starting_language: follows ? primaryLanguage : '',
    },
  };
}

/** A selected component together with the label of its provider. */
function viewOf(chosen: Chosen<unknown>): ComponentView {
  const label = chosen.found?.provider.label;
  const { fallbacks = [], ...selection } = chosen.selection;
  const shown = fallbacks.length === 0 ? selection : { ...selection, fallbacks: [...fallbacks] };
  return { ...shown, ...(label === undefined ? {} : { label }) };
}

/** The cost of the shared stack in micro-USD per minute; more expensive profiles are not included. */
const cost = (resolved: Resolved): VoiceStackProjection['cost'] => partsOf(resolved, 'cost_micros_per_minute');

/** Milliseconds from the end of the caller's speech to the first audio of the response, without the waiting time of turn-taking. */
const latency = (resolved: Resolved): VoiceStackProjection['latency'] => partsOf(resolved, 'latency_ms');

function partsOf(resolved: Resolved, figure: 'cost_micros_per_minute' | 'latency_ms'): ProjectedFigures {
  const { configuration, catalogue, stack } = resolved;
  const runs = runsTheStack(resolved);
  const of = (chosen: Chosen<Figures>) => (runs ? chosen.found?.entry : undefined);
  const parts = {
    engine: configuration.mode === 'hosted' ? catalogue.conversation_engines[configuration.voice_frontend] : undefined,
    transcriber: of(stack.transcriber),
    model: of(stack.model),
    voice: of(stack.voice),
  };
  const entries = Object.values(parts);
  return {
    engine: parts.engine?.[figure] ?? 0,
    transcriber: parts.transcriber?.[figure] ?? 0,
    model: parts.model?.[figure] ?? 0,
    voice: parts.voice?.[figure] ?? 0,
    total: entries.reduce((sum, entry) => sum + (entry?.[figure] ?? 0), 0),
    estimated: entries.some((entry) => entry?.estimated.includes(figure)),
    unknown: Object.entries(parts).flatMap(([part, entry]) => (entry?.unknown === true ? [part] : [])),
  };
}

function warnings(resolved: Resolved, blockers: readonly Blocker[]): string[] {
  const { configuration, catalogue, stack, profiles } = resolved;
  const found = blockers.map((blocker) => `${blocker.code}: ${blocker.detail}`);
  const hasAxis = catalogue.conversation_engines[configuration.voice_frontend].has_language_axis;
  if (!hasAxis && (configuration.languages ?? []).length > 0) {
    found.push(`languages_without_effect: ${configuration.voice_frontend} has no language setting`);
  }
  if (runsTheStack(resolved) && stack.transcriber.found?.entry.fast_words === false) {
    found.push(
      `slow_words: ${componentKey(stack.transcriber.selection)} reports words late; min_interruption_words is ignored`,
    );
  }
  if (runsTheStack(resolved))
    for (const component of unlistedComponents(configuration, stack, profiles))
      found.push(`model_not_in_catalogue: the price and the latency of ${component} are unknown`);
  const shared =
    configuration.follow_caller?.enabled === true
      ? profiles.find((profile) => profile.transcriber !== stack.transcriber)
      : undefined;
  if (shared !== undefined && runsTheStack(resolved)) {
    found.push(
      `shared_transcriber: ${componentKey(shared.transcriber.selection)} recognizes every language while the agent follows the language of the caller`,
    );
  }
  return found;
}
