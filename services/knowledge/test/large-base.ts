import { newId } from '@parley/runtime';
import { insertChunks } from '../src/documents/processing.sql';
import type { Customer, KnowledgePlatform } from './knowledge-platform';

const vocabulary = 30_000;
/** Short chunks, as in questions and answers, because most of the time of a test is writing their words. */
const wordsOfChunk = 50;
/** Chunks that are inserted in one statement, and that are then copied. */
const chunksAtOnce = 100;
const originals = 1_000;

/** Texts and questions with word frequencies as in a language: the n-th most frequent word occurs 1/n times as often as the first (Zipf). The same in each run. */
export class Words {
  constructor(private state = 7) {}

  /** Words, of which the n-th has its own rank if `rank` is given. */
  text(words: number, rank: (n: number) => number = () => this.rank()): string {
    return Array.from({ length: words }, (_, n) => this.word(rank(n))).join(' ');
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
    const words = [...this.shuffled(text.split(' ')).slice(0, own), ...this.text(count - own).split(' ')];
    return this.shuffled(words).join(' ');
  }

  private shuffled(words: readonly string[]): string[] {
    const placed = words.map((word) => ({ word, place: this.random() }));
    return placed.sort((a, b) => a.place - b.place).map(({ word }) => word);
  }

  private rank(): number {
    return Math.min(vocabulary, Math.floor(vocabulary ** this.random()));
  }

  private random(): number {
    return (this.state = (this.state * 48_271) % 2_147_483_647) / 2_147_483_647;
  }

  /** Ends with a letter that no rule of a language removes. */
  private word(rank: number): string {
    const letters = 'bcdfghjklmnprstvwz';
    let word = '';
    for (let rest = rank; rest > 0; rest = Math.floor(rest / 90))
      word += `${letters[rest % 18] ?? ''}${'aeiou'[Math.floor(rest / 18) % 5] ?? ''}`;
    return `${word}q`;
  }
}

/** Creates a knowledge base of `documents` with `chunks` each, of which the first thousand chunks are written and the others copied, which is much faster. @returns its id */
export async function largeBase(
  platform: KnowledgePlatform,
  customer: Customer,
  words: Words,
  { documents, chunks }: { readonly documents: number; readonly chunks: number },
): Promise<string> {
  const { organizationId } = customer;
  const base = await customer.base();
  const ids = Array.from({ length: documents }, () => newId('doc'));
  await platform.rows(
    `insert into documents (organization_id, document_id, knowledge_base_id, name, status, chunks, created_at, updated_at)
     select $1, document_id, $2, 'Chapter', 'ready', $4, now(), now() from unnest($3::text[]) as document_id`,
    [organizationId, base, ids, chunks],
  );
  const written = Math.ceil(originals / chunks);
  for (const document_id of ids.slice(0, written)) {
    const document = { document_id, knowledge_base_id: base, config: 'english' };
    for (let first = 0; first < chunks; first += chunksAtOnce) {
      const texts = Array.from({ length: Math.min(chunksAtOnce, chunks - first) }, () => words.text(wordsOfChunk));
      await insertChunks(platform.database.db, organizationId, document, first, texts);
    }
  }
  const copies = ids.slice(written).map((id, n) => ({ id, of: ids[n % written] }));
  const pairs = [copies.map(({ id }) => id), copies.map(({ of }) => of)];
  await platform.rows(
    `insert into chunks (organization_id, document_id, position, text)
     select $1, copy, position, text from unnest($2::text[], $3::text[]) as one (copy, original)
     join chunks on organization_id = $1 and document_id = original`,
    [organizationId, ...pairs],
  );
  await platform.rows(
    `insert into postings (organization_id, knowledge_base_id, term, document_id, first_position, positions, weights)
     select $1, knowledge_base_id, term, copy, first_position, positions, weights
     from unnest($2::text[], $3::text[]) as one (copy, original) join postings on organization_id = $1 and document_id = original`,
    [organizationId, ...pairs],
  );
  return base;
}

/** The scores of all chunks by BM25 with all words of a question, the best first. */
export async function exactScores(
  platform: KnowledgePlatform,
  organizationId: string,
  baseId: string,
  text: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await platform.rows<{ chunk: string; score: number }>(
    `with total as (
       select sum(chunks)::float8 as chunks from documents where organization_id = $1 and knowledge_base_id = $2
     ), hits as (
       select term, document_id, postings.positions, postings.weights, sum(cardinality(postings.positions)) over (partition by term)::float8 as found
       from unnest(to_tsvector('english', $3)) as word join postings on organization_id = $1 and knowledge_base_id = $2 and term = lexeme
     )
     select document_id || ' ' || position as chunk, sum(weight * ln(1 + (chunks - found + 0.5) / (found + 0.5))) as score
     from (select document_id, found, unnest(positions) as position, unnest(weights) as weight from hits) as one, total
     group by document_id, position order by score desc, document_id, position`,
    [organizationId, baseId, text],
  );
  return new Map(rows.map(({ chunk, score }) => [chunk, score]));
}
