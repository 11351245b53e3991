import { alike } from './turn-words';

/** What training learned of a word that occurs in more than one collection of texts, or often enough to be put into a group. */
export interface KnownWord {
  /** Common words count as themselves, all others as their group and their last letters. */
  readonly common: boolean;
  /** Words with similar neighbors have the same group: in a coarse and in a fine division. */
  readonly coarse: number;
  readonly fine: number;
}

/** Known words by their hash. */
export type Lexicon = ReadonlyMap<number, KnownWord>;

/** The beginning of the turn, and a word in no group. */
const start = 1_000;
const unknown = 1_001;
/** Only the last words count: a decision takes the same time however long the caller speaks. */
const mostWords = 64;

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  const twice = Math.imul(once ^ (once >>> 12), 0x297a2d39);
  return (twice ^ (twice >>> 15)) >>> 0;
}

/** One feature: its template, and the words or groups in it. */
function feature(template: number, one = 0, two = 0, three = 0, four = 0, five = 0): number {
  let hash = Math.imul(template + 1, 0x9e3779b1);
  for (const part of [one, two, three, four, five])
    hash = Math.imul((hash ^ part) + 0x7f4a7c15, 0x85ebca6b) ^ (hash >>> 13);
  return mixed(hash);
}

const lengths = [0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 10];
const lengthOf = (count: number): number => lengths[Math.min(count, 20)] as number;

/** A word as features see it. */
export interface Seen {
  readonly raw: number;
  readonly ending: number;
  readonly general: number;
  readonly detailed: number;
  readonly coarse: number;
  readonly fine: number;
}

const before: Seen = { raw: start, ending: start, general: start, detailed: start, coarse: start, fine: start };

function seen(word: string, lexicon: Lexicon): Seen {
  const same = alike(word);
  const hash = hashOf(same);
  const known = lexicon.get(hash);
  const common = known?.common === true || same.startsWith('@');
  return {
    raw: known === undefined ? unknown : hashOf(word),
    ending: hashOf(`-${word.slice(-3)}`),
    general: common ? hash : unknown,
    detailed: common ? hash : hashOf(`~${word.slice(-2)}`),
    coarse: known?.coarse ?? unknown,
    fine: known?.fine ?? unknown,
  };
}

export const lookUp = (words: readonly string[], lexicon: Lexicon): Seen[] =>
  words.slice(-mostWords).map((word) => seen(word, lexicon));

/** What the words so far of a turn look like: hashes of their last words and groups, of their first ones, and of what occurs before the last word. */
export function turnFeatures(turn: readonly Seen[]): number[] {
  const length = lengthOf(turn.length);
  const last = (nth: number): Seen => turn[turn.length - nth] ?? before;
  const first = (nth: number): number => turn[nth]?.general ?? start;
  const [one, two, three, four, five] = [last(1), last(2), last(3), last(4), last(5)];
  return [
    feature(0),
    feature(1, one.general),
    feature(2, one.raw),
    feature(3, one.detailed),
    feature(4, one.ending),
    feature(5, two.general, one.general),
    feature(6, two.detailed, one.detailed),
    feature(7, three.general, two.general, one.general),
    feature(8, four.general, three.general, two.general, one.general),
    feature(9, five.general, four.general, three.general, two.general, one.general),
    feature(10, length),
    feature(11, length, one.general),
    feature(12, length, two.general, one.general),
    feature(13, three.general, one.general),
    feature(14, four.general, one.general),
    feature(15, two.general),
    feature(16, two.detailed),
    feature(17, three.general, two.general),
    feature(18, four.general, three.general, two.general),
    feature(19, first(0), one.general),
    feature(20, first(0), first(1), length),
    feature(21, first(0), first(1), first(2), length),
    feature(22, one.coarse),
    feature(23, two.coarse, one.coarse),
    feature(24, three.coarse, two.coarse, one.coarse),
    feature(25, four.coarse, three.coarse, two.coarse, one.coarse),
    feature(26, five.coarse, four.coarse, three.coarse, two.coarse, one.coarse),
    feature(27, two.coarse, one.general),
    feature(28, three.coarse, two.coarse, one.general),
    feature(29, one.coarse, two.general),
    feature(30, length, one.coarse),
    feature(31, length, two.coarse, one.coarse),
    feature(32, one.fine),
    feature(33, two.fine, one.fine),
    feature(34, three.fine, two.fine, one.fine),
    feature(35, two.fine, one.general),
    feature(36, three.fine, two.fine, one.general),
    ...occurring(turn, length),
  ];
}

/** What occurs anywhere before the last word, alone and together with the last word or the length. */
function occurring(turn: readonly Seen[], length: number): number[] {
  const one = turn.at(-1) ?? before;
  const earlier = turn.slice(0, -1);
  const words = [...new Set(earlier.map(({ general }) => general))];
  const groups = [...new Set(earlier.map(({ coarse }) => coarse))];
  return [
    ...words.flatMap((word) => [feature(40, word), feature(41, word, one.general), feature(42, word, length)]),
    ...groups.flatMap((group) => [feature(43, group), feature(44, group, one.coarse), feature(45, group, length)]),
    ...earlier.slice(0, -1).map(({ general }, at) => feature(46, general, (earlier[at + 1] as Seen).general)),
  ];
}
