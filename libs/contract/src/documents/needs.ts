import type { WorkerCapabilities } from '../objects/capabilities';
import { isAccountCarrier } from '../carriers';
import { chatCarrier } from '../objects/chat';
import { browserCarrier } from '../objects/test-call';
import type { AgentTool } from '../objects/tools';
import type { WorkflowDefinition } from '../objects/workflow';
import { profileOf } from '../rules/language-code';
import type { BlockerCode } from './readiness';
import type { Blocker, Publication } from './voice-stack-configuration';

const kinds = ['carrier', 'mode', 'engine', 'stt', 'llm', 'tts', 'tool'] as const;
type Kind = (typeof kinds)[number];

/** What a call needs and a worker can do: `carrier:simulator`, `stt:deepgram`, `tool:webhook`. */
export type Capability = `${Kind}:${string}`;

/** A control that the worker supports for its calls in progress. No call needs it. */
export type ControlCapability = `control:${string}`;

/** The capabilities that a worker declared, sorted so that equal declarations are equal lists. */
export function declaredCapabilities(declared: WorkerCapabilities): (Capability | ControlCapability)[] {
  const { carriers, modes, engines, providers, tools, controls = [] } = declared;
  const named: Readonly<Record<Kind, readonly string[]>> = {
    carrier: carriers,
    mode: modes,
    engine: engines,
    stt: providers.stt,
    llm: providers.llm,
    tts: providers.tts,
    tool: tools,
  };
  const needed = kinds.flatMap((kind) => named[kind].map((name): Capability => `${kind}:${name}`));
  return [...needed, ...controls.map((name): ControlCapability => `control:${name}`)].sort();
}

interface NamedComponents extends Pick<Publication, 'voice_frontend'> {
  readonly transcriber: Named;
  readonly model: Named;
  readonly voice: Named;
  /** The components of each language; absent: the shared components are used. */
  readonly profiles?: readonly { readonly locale: string; readonly transcriber: Named; readonly voice: Named }[];
  readonly language?: string;
  readonly starting_language?: string | null;
  readonly follow_caller?: { readonly enabled: boolean } | null;
}

interface Named {
  readonly provider: string;
}

/** The data from which the needs of a call are derived. */
export interface RunBy {
  readonly mode: string;
  /** Undefined if it is unknown: the needs for engine and components are then omitted. */
  readonly publication: NamedComponents | undefined;
  readonly tools: readonly (Exclude<AgentTool, string> | { readonly type: string; readonly name?: string } | string)[];
  readonly workflow: WorkflowDefinition | undefined;
  /**
   * The language of one call; empty: the publication's language. Undefined: the needs of calls in any language, so the components of all languages are
   * included.
   */
  readonly language?: string | undefined;
}

/**
 * The capabilities that a worker needs to conduct the calls of an agent, without the carrier. A legacy placeholder among the tools is ignored, because it
 * cannot be run. A published workflow replaces the model.
 */
export function neededCapabilities({ mode, publication, tools, workflow, language }: RunBy): Capability[] {
  const needs = new Set<Capability>([`mode:${mode}`]);
  for (const component of publication === undefined ? [] : componentsOf(mode, publication, language))
    needs.add(component);
  for (const tool of tools) {
    if (typeof tool === 'string') continue;
    needs.add(`tool:${tool.type === 'builtin' ? (tool.name ?? '') : tool.type}`);
  }
  if (workflow?.nodes.some(({ type }) => type === 'transfer') === true) needs.add('tool:transfer_call');
  return [...needs].sort();
}

function componentsOf(mode: string, publication: NamedComponents, language: string | undefined): Capability[] {
  // The agent's own server processes the audio, so no components are needed.
  if (mode === 'external_audio') return [];
  const { voice_frontend: engine, model } = publication;
  if (engine !== 'cascade') return [`engine:${engine}`];
  const heard = spokenWith(publication, language).flatMap(({ transcriber, voice }): Capability[] => [
    `stt:${transcriber.provider}`,
    `tts:${voice.provider}`,
  ]);
  return ['engine:cascade', ...heard, ...(mode === 'external_text' ? [] : [`llm:${model.provider}` as const])];
}

/** The speech components of a call: those of all languages to which it may switch if it follows its caller's language; otherwise those of its language. */
function spokenWith(
  publication: NamedComponents,
  language: string | undefined,
): readonly Pick<NamedComponents, 'transcriber' | 'voice'>[] {
  const { profiles = [], follow_caller: follow, starting_language: starting } = publication;
  if (profiles.length === 0) return [publication];
  if (language === undefined || follow?.enabled === true) return profiles;
  const wanted = [language, starting ?? publication.language ?? ''].filter((one) => one !== '');
  const found = wanted.map((one) => profileOf(profiles, one)).find((profile) => profile !== undefined);
  return [found ?? publication];
}

/** The provider that a worker declares for `stt` and `tts` if it uses offline speech instead of the simulator. */
export const offlineSpeech = 'offline';

/**
 * The needs of calls over a carrier's line. In a browser and on lines of carriers with accounts a worker must process real audio. There, a simulated
 * transcriber or voice, which handles only text, is replaced by offline speech.
 */
export function needsOnLine(needs: readonly string[], carrier: string): string[] {
  const hasSound = carrier === browserCarrier || isAccountCarrier(carrier);
  const spoken = needs.map((need) => (hasSound ? (heardInPlaceOf.get(need) ?? need) : need));
  return [...spoken, `carrier:${carrier}`];
}

const heardInPlaceOf: ReadonlyMap<string, Capability> = new Map([
  ['stt:simulator', `stt:${offlineSpeech}`],
  ['tts:simulator', `tts:${offlineSpeech}`],
]);

/** The needs of a chat, which has no speech and no transfers. */
export const needsOfChat = (needs: readonly string[]): string[] => [
  ...needs.filter((need) => !/^(stt|tts):/.test(need) && need !== 'tool:transfer_call'),
  `carrier:${chatCarrier}`,
];

/** The simulated components of a call. */
export const simulatedComponents = (needs: readonly string[]): ('stt' | 'llm' | 'tts')[] =>
  (['stt', 'llm', 'tts'] as const).filter(
    (kind) => needs.includes(`${kind}:simulator`) || needs.includes(`${kind}:${offlineSpeech}`),
  );

/** The need of a test call, which replaces the carrier of a number. */
export const browserNeed: Capability = `carrier:${browserCarrier}`;

const codes: Readonly<Record<Kind, { readonly code: BlockerCode; readonly scope: (kind: Kind) => string }>> = {
  carrier: { code: 'carrier_unavailable', scope: () => 'carrier' },
  mode: { code: 'mode_unavailable', scope: () => 'mode' },
  engine: { code: 'engine_unavailable', scope: () => 'engine' },
  stt: { code: 'provider_unavailable', scope: (kind) => `provider:${kind}` },
  llm: { code: 'provider_unavailable', scope: (kind) => `provider:${kind}` },
  tts: { code: 'provider_unavailable', scope: (kind) => `provider:${kind}` },
  tool: { code: 'tool_unavailable', scope: () => 'tools' },
};

const words: Readonly<Record<Kind, string>> = {
  carrier: 'the carrier',
  mode: 'the mode',
  engine: 'the engine',
  stt: 'transcribers of',
  llm: 'models of',
  tts: 'voices of',
  tool: 'tools of the kind',
};

const wordsOf: ReadonlyMap<string, string> = new Map([
  [browserNeed, 'test calls in a browser'],
  [`carrier:${chatCarrier}`, 'chats'],
  [`stt:${offlineSpeech}`, 'a simulated transcriber on lines with sound'],
  [`tts:${offlineSpeech}`, 'a simulated voice on lines with sound'],
]);

/** Why no worker can conduct a call: a blocker for each need that no worker declared. */
export function capabilityBlockers(missing: readonly string[]): Blocker[] {
  return missing.map((need) => {
    const [prefix = '', ...rest] = need.split(':');
    const kind = kinds.find((known) => known === prefix);
    if (kind === undefined) throw new Error(`${need} is not a capability`);
    const { code, scope } = codes[kind];
    const what = wordsOf.get(need) ?? `${words[kind]} ${rest.join(':')}`;
    return { code, scope: scope(kind), detail: `no worker offers ${what}` };
  });
}

/**
 * The needs that are missing if no single worker covers them all. They are those that the best-matching declaration lacks, so adding them to that worker would
 * be enough.
 * @param declared one list of capabilities per kind of worker
 * @returns an empty list if a worker covers all needs
 */
export function missingCapabilities(needs: readonly string[], declared: readonly (readonly string[])[]): string[] {
  let fewest = [...needs];
  for (const capabilities of declared) {
    const missing = needs.filter((need) => !capabilities.includes(need));
    if (missing.length < fewest.length) fewest = missing;
  }
  return fewest;
}
