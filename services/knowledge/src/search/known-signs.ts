import type { Queryable } from '@parley/runtime';
import { wordsOf, type ChunkSigns } from './signs.rules';
import { readSigns, type DocumentSigns } from './signs.sql';
import { findAskedBases, type AskedBase, type EmbeddedBase } from './vectors.sql';

interface Known extends ChunkSigns {
  /** The state of the vectors that these are the signs of. */
  readonly state: string;
}

type Base = Pick<AskedBase, 'knowledge_base_id' | 'vectors_state'>;

/** For example 16 knowledge bases of 10,000 chunks with 1,536 dimensions. */
const usualBytes = 32 * 1024 * 1024;

/**
 * The signs of knowledge bases that were asked recently, in memory, because a comparison in PostgreSQL takes ten times as long (ADR 130). Each question reads
 * the state of the vectors of its knowledge bases, so signs of an earlier state are never used, whichever replica has changed it.
 */
export class KnownSigns {
  /** By organization and knowledge base, the one that was asked last at the end. */
  private readonly known = new Map<string, Known>();
  private bytes = 0;
  private reading: Promise<void> | undefined;

  /** @param failed called with the error if signs could not be read; a later question has them read again */
  constructor(
    private readonly db: Queryable,
    private readonly failed: (error: unknown) => void,
    private readonly mostBytes = usualBytes,
  ) {}

  /** Returns the signs of a knowledge base; undefined: those of its current state are not in memory. */
  find(organizationId: string, base: Base): ChunkSigns | undefined {
    const key = keyOf(organizationId, base);
    const known = this.known.get(key);
    if (known?.state !== base.vectors_state) return undefined;
    this.known.delete(key);
    this.known.set(key, known);
    return known;
  }

  /** Starts to read missing signs in the background, for later questions. Does nothing while a read is in progress, or while vectors are still being computed. */
  request(organizationId: string, bases: readonly EmbeddedBase[]): void {
    const missing = bases.filter((base) => base.vectors_complete && this.find(organizationId, base) === undefined);
    if (missing.length === 0 || this.reading !== undefined) return;
    this.reading = this.read(organizationId, missing)
      .catch(this.failed)
      .finally(() => {
        this.reading = undefined;
      });
  }

  /** Resolves when no read is in progress. */
  async waitForReads(): Promise<void> {
    await this.reading;
  }

  private async read(organizationId: string, bases: readonly EmbeddedBase[]): Promise<void> {
    for (const base of bases) {
      const rows = await readSigns(this.db, organizationId, base);
      // No document returns to an earlier state. So no vectors have changed in between if the state is still the same.
      const [now] = await findAskedBases(this.db, organizationId, [base.knowledge_base_id]);
      if (now?.vectors_state === base.vectors_state) this.put(keyOf(organizationId, base), knownOf(base, rows));
    }
  }

  private put(key: string, known: Known): void {
    this.drop(key);
    this.known.set(key, known);
    this.bytes += bytesOf(known);
    for (const oldest of this.known.keys()) {
      if (this.bytes <= this.mostBytes) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const known = this.known.get(key);
    if (known === undefined) return;
    this.known.delete(key);
    this.bytes -= bytesOf(known);
  }
}

const keyOf = (organizationId: string, { knowledge_base_id }: Base): string => `${organizationId} ${knowledge_base_id}`;

/** Ids are shared by the chunks of a document: a pointer for each. */
const bytesOf = ({ documentIds, positions, signs }: Known): number =>
  documentIds.length * 8 + positions.byteLength + signs.byteLength;

function knownOf({ dimensions, vectors_state: state }: EmbeddedBase, rows: readonly DocumentSigns[]): Known {
  const storedBytes = 4 + Math.ceil(dimensions / 8);
  const words = wordsOf(dimensions);
  const count = rows.reduce((sum, { chunks }) => sum + chunks.length / storedBytes, 0);
  const documentIds: string[] = [];
  const positions = new Int32Array(count);
  const signs = new Uint32Array(count * words);
  const bytes = new Uint8Array(signs.buffer);
  for (const { document_id, chunks } of rows)
    for (let at = 0; at < chunks.length; at += storedBytes) {
      const index = documentIds.push(document_id) - 1;
      positions[index] = chunks.readInt32BE(at);
      chunks.copy(bytes, index * words * 4, at + 4, at + storedBytes);
    }
  return { state, documentIds, positions, signs };
}
