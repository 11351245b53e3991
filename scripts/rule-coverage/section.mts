export interface Rule {
  /** `<section> <name>` or `<section> r<number>`. */
  readonly id: string;
  readonly words: string;
  /** Ids under which the same rule stands elsewhere. */
  readonly also: readonly string[];
  /** `METHOD path`: tests that go over every route of the document hold it as soon as the document has the route. */
  readonly route?: string;
}

export interface Section {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** A row: its name, a few words, and ids under which it stands elsewhere. */
export type Row = readonly [name: string, words: string, ...also: string[]];

/** Rows of one section; `of` is the class that the names are fields of. */
export const section = (number: string, title: string, rows: readonly Row[], of = ''): Section => ({
  title: `${number} ${title}`,
  rules: rows.map(([name, words, ...also]) => ({
    id: [number, of, name].filter((part) => part !== '').join(' '),
    words,
    also,
  })),
});
