import { createHash } from 'node:crypto';
import { testSink, type SinkAnswer, type TestSink } from '@parley/testing';

export const dimensions = 64;

/** A table of synonyms instead of a trained model: the words of one line have the same meaning. */
const meanings = [
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician'],
  ['cost', 'costs', 'price', 'expensive'],
];

const wordless = new Set([
  'a',
  'an',
  'and',
  'are',
  'do',
  'does',
  'how',
  'is',
  'much',
  'of',
  'our',
  'the',
  'what',
  'where',
  'you',
]);

/**
 * The vector that the stand-in makes of a text: a hashed bag of its meanings, with the sign of each from the hash. Near texts are those that share meanings, and
 * the same text always has the same vector.
 */
export function standInVector(text: string, length = dimensions): number[] {
  const vector = Array<number>(length).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    if (wordless.has(word)) continue;
    const meaning = meanings.find((line) => line.includes(word))?.[0] ?? word;
    const hash = createHash('sha256').update(meaning).digest();
    // Several places for each meaning, so that two meanings rarely cancel each other out.
    for (let n = 0; n < 8; n += 1) {
      const place = hash.readUInt16BE(n * 2) % length;
      vector[place] = (vector[place] ?? 0) + ((hash[16 + n] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  if (!vector.some((value) => value !== 0)) vector[0] = 1;
  return vector;
}

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
}

/** A server with OpenAI's protocol for embeddings, over real HTTP, that stands in for a model. */
export class StandInEmbeddings {
  /** Replaces the answer to a request; undefined: the usual one. */
  instead: (asked: Asked) => SinkAnswer | Promise<SinkAnswer> | undefined = () => undefined;
  /** The key that the server accepts. */
  secret = 'sk-1';

  private constructor(readonly sink: TestSink) {}

  static async start(): Promise<StandInEmbeddings> {
    const answer: { of: (asked: Asked, authorization?: string) => Promise<SinkAnswer> } = { of: async () => ({}) };
    const server = new StandInEmbeddings(
      await testSink(({ json, headers }) => answer.of(json as Asked, headers.authorization)),
    );
    answer.of = (asked, authorization) => server.answer(asked, authorization);
    return server;
  }

  get url(): string {
    return `${this.sink.url}/v1`;
  }

  /** The texts of each request so far. */
  get inputs(): readonly (readonly string[])[] {
    return this.sink.requests.map(({ json }) => (json as Asked).input);
  }

  /** Answers as before, and forgets the requests. */
  reset(): void {
    this.instead = () => undefined;
    this.secret = 'sk-1';
    this.sink.requests.length = 0;
  }

  private async answer(asked: Asked, authorization: string | undefined): Promise<SinkAnswer> {
    if (authorization !== `Bearer ${this.secret}`) return { status: 401, body: '{"error":{"message":"no"}}' };
    return (await this.instead(asked)) ?? standInAnswer(asked);
  }
}

export const standInAnswer = ({ input, dimensions: length }: Asked): SinkAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    // In another order than asked for, as the protocol allows.
    data: input.map((text, index) => ({ index, embedding: standInVector(text, length) })).reverse(),
    usage: { total_tokens: input.length },
  }),
});
