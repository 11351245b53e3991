/** How phone menus and queues speak in one language; lower case, matched on whole words unless a word ends in `-`, which matches how it begins. */
export interface LanguagePack {
  /** Base language. */
  readonly language: string;
  /**
   * What the words were tested with. `sentences`: written sentences alone, and not by a speaker of the language; what a transcriber makes of them is not
   * known. `speech`: recognised speech too (docs/voices.md).
   */
  readonly checked: 'speech' | 'sentences';
  /** What a menu asks for: press, dial. */
  readonly press: readonly string[];
  /** Names of keys; digits count in every language. */
  readonly keys: readonly string[];
  /** What transcribers write for the name of a key that sounds like it: counts directly behind `press`. Default: none. */
  readonly soundsLikeKey?: readonly string[];
  /** Whether more than one key that is asked for makes a menu, also where no name of a key is understood. Default: false. */
  readonly twiceIsMenu?: boolean;
  /** Phrases of which each makes a menu. Default: none. */
  readonly menu?: readonly string[];
  /** Whether the key may be named before what is to be done with it. */
  readonly keyFirst: boolean;
  /** Beginnings of an announcement of a queue, as they stand in a sentence. */
  readonly queue: readonly string[];
}
