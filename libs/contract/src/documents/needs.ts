import type { WorkerCapabilities } from '../objects/capabilities';
import { isAccountCarrier } from '../carriers';
import { chatCarrier } from '../objects/chat';
import { browserCarrier } from '../objects/test-call';
import type { AgentTool } from '../objects/tools';
import type { WorkflowDefinition } from '../objects/workflow';
import { profileOf } from '../rules/language-code';
import type { Blocker, Publication } from './voice-stack-configuration';

const kinds = ['carrier', 'mode', 'engine', 'stt', 'llm', 'tts', 'tool'] as const;
type Kind = (typeof kinds)[number];

/** A requirement of a call and a capability of a worker: `carrier:simulator`, `stt:deepgram`, `tool:webhook`. */
export type Capability = `${Kind}:${string}`;

/** A control that the worker supports for its calls in progress: no call requires it. */
export type ControlCapability = `control:${string}`;

/** The capabilities that a worker declared, sorted, so that equal declarations compare as equal. */
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
  /** The components of each language; absent: the shared components. */
  readonly profiles?: readonly { readonly locale: string; readonly transcriber: Named; readonly voice: Named }[];
  readonly language?: string;
  readonly starting_language?: string | null;
  readonly follow_caller?: { readonly enabled: boolean } | null;
}

interface Named {
  readonly provider: string;
}

/** The inputs from which the needs of a call are derived. */
export interface RunBy {
  readonly mode: string;
  /** Undefined: unknown, so needs of engine and components are omitted. */
  readonly publication: NamedComponents | undefined;
  readonly tools: readonly (Exclude<AgentTool, string> | { readonly type: string; readonly name?: string } | string)[];
  readonly workflow: WorkflowDefinition | undefined;
  /** The language of one call; empty: the publication's. Undefined: of any call, so the components of every language count. */
  readonly language?: string | undefined;
}

/**
 * What a worker must be able to do to conduct the calls of an agent, besides its carrier. A legacy placeholder among the tools names nothing that
 * could run. A published workflow takes the model's place.
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
  // The agent's own server processes the audio.
  if (mode === 'external_audio') return [];
  const { voice_frontend: engine, model } = publication;
  if (engine !== 'cascade') return [`engine:${engine}`];
  const heard = spokenWith(publication, language).flatMap(({ transcriber, voice }): Capability[] => [
    `stt:${transcriber.provider}`,
    `tts:${voice.provider}`,
  ]);
  return ['engine:cascade', ...heard, ...(mode === 'external_text' ? [] : [`llm:${model.provider}` as const])];
}

/** The speech components of a call: of the languages that it may switch to, if it follows its caller's language; otherwise of its own. */
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
 * What calls over lines of a carrier need of their worker. Where a worker hears and speaks, which is in a browser and on lines of carriers with accounts, a
 * simulated transcriber or voice needs one that has speech in its place: text alone would be silence.
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

/** The needs of a chat: no speech, and no transfers. */
export const needsOfChat = (needs: readonly string[]): string[] => [
  ...needs.filter((need) => !/^(stt|tts):/.test(need) && need !== 'tool:transfer_call'),
  `carrier:${chatCarrier}`,
];

/** Which components of a call are simulated. */
export const simulatedComponents = (needs: readonly string[]): ('stt' | 'llm' | 'tts')[] =>
  (['stt', 'llm', 'tts'] as const).filter(
    (kind) => needs.includes(`${kind}:simulator`) || needs.includes(`${kind}:${offlineSpeech}`),
  );

/** What a test call needs instead of a number's carrier. */
export const browserNeed: Capability = `carrier:${browserCarrier}`;

const codes: Readonly<Record<Kind, { readonly code: string; readonly scope: (kind: Kind) => string }>> = {
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

/** Why no worker can conduct a call with needs that none of them declared. */
export function capabilityBlockers(missing: readonly string[]): Blocker[] {
  return missing.map((need) => {
    const [prefix = '', ...rest] = need.split(':');
    const kind = kinds.find((known) => known === prefix);
    if (kind === undefined) throw new Error(`${need} is no capability`);
    const { code, scope } = codes[kind];
    const what = wordsOf.get(need) ?? `${words[kind]} ${rest.join(':')}`;
    return { code, scope: scope(kind), detail: `no worker offers ${what}` };
  });
}

/**
 * What is missing of needs that no single worker covers: of the declaration that covers most, so that what it names would be enough.
 * @param declared one list a kind of worker
 * @returns none where a worker covers them all
 */
export function missingCapabilities(needs: readonly string[], declared: readonly (readonly string[])[]): string[] {
  let fewest = [...needs];
  for (const capabilities of declared) {
    const missing = needs.filter((need) => !capabilities.includes(need));
    if (missing.length < fewest.length) fewest = missing;
  }
  return fewest;
}
