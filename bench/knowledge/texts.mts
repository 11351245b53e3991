/** Texts and questions with word frequencies as in a language: the n-th most frequent word occurs 1/n times as often as the first (Zipf). */
const vocabulary = 30_000;
const letters = 'bcdfghjklmnprstvwz';

/** Numbers from 0 to 1, the same in each run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Ends with a letter that no rule of a language removes. */
export function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor(rest / 90))
    word += `${letters[rest % 18] ?? ''}${'aeiou'[Math.floor(rest / 18) % 5] ?? ''}`;
  return `${word}q`;
}

export class Texts {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** The rank of a word, with the probability that the word has in a language. */
  rank(): number {
    return Math.min(vocabulary, Math.floor(vocabulary ** this.random()));
  }

  /** Words as they come, or of the given ranks. */
  words(count: number, next: (n: number) => number = () => this.rank()): string[] {
    return Array.from({ length: count }, (_, n) => wordOf(next(n)));
  }

  text(count: number, next?: (n: number) => number): string {
    return this.words(count, next).join(' ');
  }

  /** As many words as the given number of characters has room for. */
  filling(characters: number): string {
    let text = this.text(1);
    for (;;) {
      const longer = `${text} ${this.text(1)}`;
      if (longer.length > characters) return text;
      text = longer;
    }
  }

  /** A question of `count` words in any order, of which `own` are from a text. */
  about(text: string, count: number, own: number): string {
    return this.shuffled([...this.shuffled(text.split(' ')).slice(0, own), ...this.words(count - own)]).join(' ');
  }

  private shuffled(words: readonly string[]): string[] {
    return words
      .map((word) => ({ word, place: this.random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ word }) => word);
  }
}
