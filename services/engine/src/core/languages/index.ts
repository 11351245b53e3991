import { dutch } from './dutch';
import { english } from './english';
import { french } from './french';
import { german } from './german';
import { italian } from './italian';
import { polish } from './polish';
import { portuguese } from './portuguese';
import { russian } from './russian';
import { spanish } from './spanish';
import { callMachineIn, isMailboxInstruction } from './mailbox-instruction';
import type { LanguagePack } from './pack';

export { apologyIn } from './apologies';
export { callMachineIn, isMailboxInstruction };
export { isRefusal } from './refusals';

/** The languages that support navigation (docs/reference/tuning.md, AgentNavigation). */
export const languagePacks: readonly LanguagePack[] = [
  english,
  german,
  french,
  spanish,
  italian,
  dutch,
  portuguese,
  russian,
  polish,
];

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
export const languagePack = (language: string): Recogniser | undefined =>
  recognisers.get(language.toLowerCase().split(/[-_]/)[0] ?? '');

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
