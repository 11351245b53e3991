import {
  baseLanguage,
  browserCarrier,
  neededCapabilities,
  needsOnLine,
  type Publication,
  type SimulationScenario,
  type WorkerProviders,
} from '@parley/contract';

/** What a worker offers that has spoken conversations with components of these providers; sorted, so that equal offers are equal lists. */
export const offersOf = ({ stt, tts }: Pick<WorkerProviders, 'stt' | 'tts'>): string[] =>
  ['engine:cascade', ...stt.map((name) => `stt:${name}`), ...tts.map((name) => `tts:${name}`)].sort();

/** What a worker needs for these scenarios with sound. Tools need nothing, because stubs answer them. */
export function spokenNeeds(publication: Publication, scenarios: readonly SimulationScenario[]): string[] {
  const about = { mode: 'hosted', publication, tools: [], workflow: undefined };
  const needs = scenarios.flatMap(({ language = '' }) => neededCapabilities({ ...about, language }));
  const heard = needsOnLine(needs, browserCarrier).filter((need) => /^(engine|stt|tts):/.test(need));
  return [...new Set(heard)].sort();
}

/** The first scenario in a language that the caller's voice does not speak; undefined if there is none. */
export function unspeakable(
  { language: usual }: Pick<Publication, 'language'>,
  scenarios: readonly SimulationScenario[],
): { readonly name: string; readonly language: string } | undefined {
  const spoken = scenarios.map(({ name, language = usual }) => ({ name, language }));
  return spoken.find(({ language }) => !['', 'en'].includes(baseLanguage(language)));
}
