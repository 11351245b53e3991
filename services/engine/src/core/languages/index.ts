import { baseLanguage } from '@parley/contract';
import apologies from './apologies.json';
import { callMachineIn, isMailboxInstruction } from './mailbox-instruction';
import packs from './packs.json';

export { callMachineIn, isMailboxInstruction };
export { isRefusal } from './refusals';

/** The phrases of phone menus and hold queues in one language. They are lower case and match whole words; an entry that ends in `-` matches a prefix. */
interface LanguagePack {
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

/** The languages that support navigation (docs/reference/tuning.md, AgentNavigation). */
export const languagePacks = packs as readonly LanguagePack[];

/** What an agent says if no model answers the conversation, in the language of the call or in English. */
export const apologyIn = (language: string): string =>
  (apologies as Readonly<Record<string, string>>)[baseLanguage(language)] ?? apologies.en;

/** Whether a machine says this: a menu, a queue, a mailbox, or the announcement of a network. */
export const isMachineTalk = (text: string, language: string): boolean => {
  const pack = languagePack(language);
  return (
    pack?.isMenu(text) === true ||
    (pack?.isQueue(text) === true && !pack.isPerson(text)) ||
    isMailboxInstruction(text, language) ||
    callMachineIn(text, language) !== undefined
  );
};

/** Whether a person says this, and no machine. */
export const isPersonTalk = (text: string, language: string): boolean =>
  languagePack(language)?.isPerson(text) === true && !isMachineTalk(text, language);

interface Recogniser {
  /** Whether the text is a phone menu, which offers a choice of keys. */
  isMenu(text: string): boolean;
  /** Whether the text is an announcement of a hold queue. */
  isQueue(text: string): boolean;
  /** Whether only a person says this. */
  isPerson(text: string): boolean;
}

const recognisers = new Map(languagePacks.map((pack) => [pack.language, recogniserOf(pack)]));

/** The pack of a base language; undefined if the language does not support navigation. */
export const languagePack = (language: string): Recogniser | undefined => recognisers.get(baseLanguage(language));

function recogniserOf(pack: LanguagePack): Recogniser {
  const pressAt = (words: readonly string[]): number =>
    words.findIndex((word) => pack.press.some((one) => is(word, one)));
  const isKey = (word: string): boolean => /^[0-9]+$/u.test(word) || pack.keys.some((one) => is(word, one));
  const soundsLikeKey = new Set(pack.soundsLikeKey);
  const asksForKey = (words: readonly string[]): boolean => {
    const press = pressAt(words);
    if (press < 0) return false;
    return words.slice(pack.keyFirst ? 0 : press + 1).some(isKey) || soundsLikeKey.has(words[press + 1] ?? '');
  };
  const person = new RegExp(` (?:${pack.person.join('|')}) `, 'u');
  const spokenIn = (text: string): string => ` ${sentencesOf(text).flat().join(' ')} `;
  const hasOne = (text: string, phrases: readonly string[]): boolean => {
    const spoken = spokenIn(text);
    return phrases.some((phrase) => spoken.includes(spokenIn(phrase)));
  };
  return {
    isMenu: (text) => {
      const sentences = sentencesOf(text);
      const asked = sentences.flat().filter((word) => pack.press.some((one) => is(word, one)));
      if (pack.twiceIsMenu === true && asked.length > 1) return true;
      return sentences.some(asksForKey) || hasOne(text, pack.menu ?? []);
    },
    isQueue: (text) => hasOne(text, pack.queue),
    isPerson: (text) => person.test(spokenIn(text)),
  };
}

const is = (word: string, one: string): boolean =>
  one.endsWith('-') ? word.startsWith(one.slice(0, -1)) : word === one;

/** The lower-case words of each sentence. */
const sentencesOf = (text: string): readonly (readonly string[])[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/[.!?]+/u)
    .map((sentence) => sentence.split(/[^\p{L}\p{N}'-]+/u).filter((word) => word !== ''));
