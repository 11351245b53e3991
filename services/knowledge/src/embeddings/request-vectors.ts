import type { VettedRequests } from '@parley/service';
import { networkErrorOf } from '@parley/service';
import { EmbeddingFailed } from './embedding-failed';

/** An account at a server that uses OpenAI's protocol. */
export interface EmbeddingAccount {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Empty: the server needs none. */
  readonly secret: string;
}

export interface VectorsRequest {
  readonly account: EmbeddingAccount;
  readonly model: string;
  /** The length of the vectors; undefined: that of the model, which is not known yet. */
  readonly dimensions: number | undefined;
  /** Whether the request names the dimensions. Many servers refuse that. */
  readonly sendsDimensions: boolean;
  readonly texts: readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Vectors {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  /** What the server counted; 0 if it says nothing. */
  readonly tokens: number;
}

/** More than 32 vectors of 2,000 numbers need. */
const mostBytes = 4 * 1024 * 1024;

/** `POST {baseUrl}/embeddings`, once. Nothing of the server's answer but its status gets into the failure. @throws EmbeddingFailed */
export async function requestVectors(
  { fetch }: Pick<VettedRequests, 'fetch'>,
  { account, model, dimensions, sendsDimensions, texts, timeoutMs, signal }: VectorsRequest,
): Promise<Vectors> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const body = JSON.stringify({ model, input: texts, ...(sendsDimensions && { dimensions }) });
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'parley-knowledge',
    ...(account.secret !== '' && { authorization: `Bearer ${account.secret}` }),
  };
  let status: number;
  let answer: string;
  try {
    const asked = fetch(`${account.baseUrl}/embeddings`, { method: 'POST', headers, body, signal: ends });
    // The library notices an abort only once it is connected.
    const response = await Promise.race([asked, rejectedBy(ends)]);
    status = response.status;
    answer = await readText(response, status < 300 ? mostBytes : 0);
  } catch (error) {
    if (error instanceof EmbeddingFailed) throw error;
    if (signal?.aborted === true) throw signal.reason;
    throw failureOf(networkErrorOf(error, deadline), timeoutMs);
  }
  if (status === 401 || status === 403)
    throw new EmbeddingFailed('credential_refused', `the server refuses the credential: HTTP ${status}`);
  if (status < 200 || status > 299)
    throw new EmbeddingFailed('answer_refused', `the server answered HTTP ${status}`, textCodes.has(status));
  const document = parsed(answer);
  return { vectors: vectorsOf(document, texts.length, dimensions), tokens: tokensOf(document) };
}

/** Statuses with which servers refuse a text, for example because it is too long for the model. */
const textCodes: ReadonlySet<number> = new Set([400, 413, 422]);

const failureOf = (reason: ReturnType<typeof networkErrorOf>, timeoutMs: number): EmbeddingFailed => {
  if (reason === 'refused_address')
    return new EmbeddingFailed('address_refused', 'the address of the credential is not allowed');
  if (reason === 'timeout') return new EmbeddingFailed('timeout', `no answer within ${timeoutMs} ms`);
  return new EmbeddingFailed('unreachable', `the server did not answer: ${reason}`);
};

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function readText({ body }: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    // Leaving the loop closes the body.
    for await (const part of body as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (most === 0) return '';
      if (size > most) throw new EmbeddingFailed('not_readable', 'the answer is too long');
      parts.push(part);
    }
  return Buffer.concat(parts).toString('utf8');
}

type Parsed = Readonly<Record<string, unknown>>;

function vectorsOf({ data }: Parsed, count: number, dimensions: number | undefined): number[][] {
  const found = new Map(Array.isArray(data) ? data.map(entryOf) : []);
  const ordered = Array.from({ length: count }, (_, index) => found.get(index) ?? []);
  if (!Array.isArray(data) || data.length !== count || ordered.some(({ length }) => length === 0))
    throw new EmbeddingFailed('not_readable', 'the answer does not have exactly one vector for each text');
  const wanted = dimensions ?? ordered[0]?.length;
  const other = ordered.find(({ length }) => length !== wanted);
  if (other !== undefined)
    throw new EmbeddingFailed('wrong_dimensions', `a vector has ${other.length} dimensions instead of ${wanted ?? 0}`);
  if (!ordered.every((vector) => vector.some((value) => value !== 0)))
    throw new EmbeddingFailed('not_readable', 'a vector has only zeros');
  return ordered;
}

/** Servers number the vectors; without a number the order counts. */
function entryOf(entry: unknown, position: number): [number, number[]] {
  const { index, embedding } = (entry ?? {}) as { readonly index?: unknown; readonly embedding?: unknown };
  if (!Array.isArray(embedding)) throw new EmbeddingFailed('not_readable', 'the answer has entries without a vector');
  return [typeof index === 'number' ? index : position, embedding.map(realOf)];
}

/** PostgreSQL refuses numbers that single precision cannot represent, also those that are too small. */
function realOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(Math.fround(value)))
    throw new EmbeddingFailed('not_readable', 'a vector has values that are not finite numbers');
  return Math.abs(value) < 1e-37 ? 0 : value;
}

function tokensOf({ usage }: Parsed): number {
  const count = typeof usage === 'object' && usage !== null ? (usage as Parsed)['total_tokens'] : 0;
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function parsed(answer: string): Parsed {
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value === 'object' && value !== null) return value as Parsed;
  } catch {
    // As below.
  }
  throw new EmbeddingFailed('not_readable', 'the answer is not a JSON object');
}
