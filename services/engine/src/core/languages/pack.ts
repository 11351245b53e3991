/** The phrases of phone menus and queues in one language; lower case, matched on whole words unless an entry ends in `-`, which matches a prefix. */
export interface LanguagePack {
  /** Base language. */
  readonly language: string;
  /**
   * What the phrases were tested with. `sentences`: only written sentences, not by a native speaker; how a transcriber renders them is unknown. `speech`: also
   * recognised speech (docs/voices.md).
   */
  readonly checked: 'speech' | 'sentences';
  /** The verbs with which a menu requests a key: press, dial. */
  readonly press: readonly string[];
  /** Names of keys; digits are recognised in every language. */
  readonly keys: readonly string[];
  /** Homophones of key names in transcripts: accepted only directly after `press`. Default: none. */
  readonly soundsLikeKey?: readonly string[];
  /** Whether two or more requested keys make a menu even if no key name is recognised. Default: false. */
  readonly twiceIsMenu?: boolean;
  /** Phrases that each identify a menu. Default: none. */
  readonly menu?: readonly string[];
  /** Whether the key may be named before the verb. */
  readonly keyFirst: boolean;
  /** How queue announcements begin, as written in a sentence. */
  readonly queue: readonly string[];
}
