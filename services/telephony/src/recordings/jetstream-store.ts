import { createHash } from 'node:crypto';
import { JetStreamApiError, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { Objm, type ObjectStore } from '@nats-io/obj';
import { recordingsBucket } from '@parley/outbox';
import type { NatsConnections } from '@parley/runtime';
import { RecordingObjectUnreadable, RecordingStoreFull, type RecordingStore } from './recording-store';

/** An object is read as a few messages: the server takes 1 MiB at most in one. */
const chunkBytes = 512 * 1024;
const timeoutMs = 5_000;

/** What a full stream that drops nothing answers: maximum bytes, or maximum messages, exceeded. */
const fullCodes: readonly number[] = [10_077, 10_047];

interface Bucket {
  readonly objects: ObjectStore;
  readonly manager: JetStreamManager;
}

/**
 * Objects of a JetStream bucket, which auth makes. Chunks are read one by one rather than by a consumer, and deleted objects leave nothing
 * behind, not even their names: so this service needs no permission to make consumers, and deletes in a bucket that is full.
 */
export class JetStreamRecordingStore implements RecordingStore {
  private opening: Promise<Bucket> | undefined;

  constructor(private readonly nats: NatsConnections) {}

  async put(name: string, content: Buffer): Promise<void> {
    const { objects } = await this.bucket();
    try {
      await objects.putBlob({ name, options: { max_chunk_size: chunkBytes } }, content, { timeout: timeoutMs });
    } catch (error) {
      throw isFull(error) ? new RecordingStoreFull(error) : error;
    }
  }

  async read(name: string, from: number, to: number): Promise<Buffer> {
    const { objects, manager } = await this.bucket();
    const info = await objects.info(name);
    if (info === null || info.deleted) throw new RecordingObjectUnreadable(name, 'is not there');
    const chunks: Buffer[] = [];
    for (let chunk = 0, seq = 1; chunk < info.chunks; chunk += 1) {
      const message = await manager.direct.getMessage(recordingsBucket.stream, {
        seq,
        next_by_subj: chunksOf(info.nuid),
      });
      if (message === null) throw new RecordingObjectUnreadable(name, `has only ${chunk} chunks`);
      chunks.push(Buffer.from(message.data));
      seq = message.seq + 1;
    }
    const content = Buffer.concat(chunks);
    const digest = createHash('sha256').update(content).digest('base64url');
    if (info.digest.replace(/=+$/, '') !== `SHA-256=${digest}`) throw new RecordingObjectUnreadable(name, 'is damaged');
    return content.subarray(from, to);
  }

  async delete(name: string): Promise<void> {
    const { objects, manager } = await this.bucket();
    const info = await objects.info(name);
    if (info === null) return;
    await manager.streams.purge(recordingsBucket.stream, { filter: chunksOf(info.nuid) });
    await manager.streams.purge(recordingsBucket.stream, { filter: metaOf(name) });
  }

  private bucket(): Promise<Bucket> {
    return (this.opening ??= this.open());
  }

  private async open(): Promise<Bucket> {
    const connection = await this.nats.connection();
    const options = { checkAPI: false, timeout: timeoutMs };
    const objects = await new Objm(jetstream(connection, options)).open(recordingsBucket.name, false);
    return { objects, manager: await jetstreamManager(connection, options) };
  }
}

const isFull = (error: unknown): boolean => error instanceof JetStreamApiError && fullCodes.includes(error.code);

const chunksOf = (nuid: string): string => `$O.${recordingsBucket.name}.C.${nuid}`;

/** As the object store names them: base64 for URLs, with its padding. */
const metaOf = (name: string): string =>
  `$O.${recordingsBucket.name}.M.${Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
