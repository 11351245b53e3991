/** How a call is conducted beside the turns themselves (section 2.6); milliseconds of call time, null where something is off. */
export interface Conduct {
  /** Said before the agent hangs up; empty: nothing. */
  readonly endPhrase: string;
  /** Said while the reply is awaited, at most once a turn. */
  readonly acknowledgement: { readonly delayMs: number; readonly phrases: readonly string[] } | null;
  readonly toolWait: ToolWait | null;
  /** Said, word for word, to speech that was not recognised. */
  readonly unrecognised: { readonly most: number; readonly phrase: string } | null;
  /** Free line time that a model may take for a reply; null: for ever. */
  readonly modelUnresponsiveMs: number | null;
  /** Phone menus and hold queues; null: this call does not navigate. */
  readonly navigation: { readonly maxMenuMs: number; readonly maxHoldMs: number } | null;
}

export interface ToolWait {
  readonly mode: 'acknowledge' | 'sound';
  readonly delayMs: number;
  readonly phrases: readonly string[];
  /** The longest that the sound plays. */
  readonly soundMs: number;
  /** Nothing is heard while these run. */
  readonly silentTools: readonly string[];
}

/** Nothing beside the turns. */
export const plainConduct: Conduct = {
  endPhrase: '',
  acknowledgement: null,
  toolWait: null,
  unrecognised: null,
  modelUnresponsiveMs: null,
  navigation: null,
};

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
const msOf = (value: unknown, unit = 1): number => (typeof value === 'number' && value > 0 ? value * unit : 0);

/** From the effective values of a claimed job; what an older platform does not send is off. */
export function conductOf(effective: Json, following: boolean): Conduct {
  const polish = objectOf(effective['voice_polish']);
  const unrecognised = objectOf(polish['unrecognised_speech']);
  const phrase = textOf(unrecognised['phrase']);
  const seconds = msOf(objectOf(polish['model_unresponsive'])['seconds'], 1000);
  const navigation = objectOf(effective['navigation']);
  return {
    endPhrase: textOf(polish['end_of_call_phrase']),
    acknowledgement: acknowledgementOf(objectOf(polish['acknowledgements'])),
    toolWait: toolWaitOf(objectOf(polish['tool_wait'])),
    unrecognised:
      unrecognised['enabled'] === true && phrase !== '' && !following
        ? { most: msOf(unrecognised['max_per_call']), phrase }
        : null,
    modelUnresponsiveMs: seconds === 0 ? null : seconds,
    navigation:
      navigation['active'] === true
        ? {
            maxMenuMs: msOf(navigation['max_navigation_seconds'], 1000),
            maxHoldMs: msOf(navigation['max_hold_seconds'], 1000),
          }
        : null,
  };
}

function acknowledgementOf(section: Json): Conduct['acknowledgement'] {
  const phrases = textsOf(section['phrases']);
  // A language without a list stays silent.
  return section['enabled'] === true && phrases.length > 0 ? { delayMs: msOf(section['delay_ms']), phrases } : null;
}

function toolWaitOf(section: Json): ToolWait | null {
  const { mode } = section;
  if (mode !== 'acknowledge' && mode !== 'sound') return null;
  return {
    mode,
    delayMs: msOf(section['delay_ms']),
    phrases: textsOf(section['phrases']),
    soundMs: msOf(section['sound_seconds'], 1000),
    silentTools: textsOf(section['silent_tools']),
  };
}
