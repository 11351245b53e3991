/** The phrases of phone menus and hold queues in one language. They are lower case and match whole words; an entry that ends in `-` matches a prefix. */
export interface LanguagePack {
  /** Base language. */
  readonly language: string;
  /**
   * What the phrases were tested with. `sentences`: only written sentences, and not by a native speaker; it is unknown how a transcriber renders them.
   * `speech`: also recognized speech (docs/voices.md).
   */
  readonly checked: 'speech' | 'sentences';
  /** The verbs with which a menu asks for a key, such as press or dial. */
  readonly press: readonly string[];
  /** Words for keys. Digits are recognized in every language. */
  readonly keys: readonly string[];
  /** Words that transcripts may contain instead of a key name because they sound alike. Accepted only directly after `press`. Default: none. */
  readonly soundsLikeKey?: readonly string[];
  /** Whether two or more requests to press a key are a menu even if no key name is recognized. Default: false. */
  readonly twiceIsMenu?: boolean;
  /** Phrases of which each one alone identifies a menu. Default: none. */
  readonly menu?: readonly string[];
  /** Whether the key may come before the verb. */
  readonly keyFirst: boolean;
  /** The beginnings of queue announcements. */
  readonly queue: readonly string[];
  /** What only a person says, as regular expressions of whole words: greetings, names and offers of help. */
  readonly person: readonly string[];
}
