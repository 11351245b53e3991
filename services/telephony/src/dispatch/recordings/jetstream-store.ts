import { createHash } from 'node:crypto';
import {
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { Objm, type ObjectStore } from '@nats-io/obj';
import { recordingsBucket } from '@parley/outbox';
import type { NatsConnections } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { RecordingObjectUnreadable, RecordingStoreFull } from './recording-store';
import type { RecordingStore } from '../../telephony';

/** An object is stored as several messages, because the server accepts at most 1 MiB per message. */
const chunkBytes = 512 * 1024;
const timeoutMs = 5_000;

/** The error codes of a full stream with discard policy "new": too many bytes, or too many messages. */
const fullCodes: readonly number[] = [10_077, 10_047];

interface Bucket {
  readonly stream: JetStreamClient;
  readonly objects: ObjectStore;
  readonly manager: JetStreamManager;
}

/**
 * Stores objects in a JetStream bucket that auth creates. Chunks are read one by one without a consumer, and deleting an object also removes its name.
 * Therefore this service needs no permission to create consumers, and can delete objects even when the bucket is full.
 */
export class JetStreamRecordingStore implements RecordingStore {
  private opening: Promise<Bucket> | undefined;
  /** For objects that were read before: the stream sequence of each chunk, as far as known. */
  private readonly places = new LRUCache<string, number[]>({ max: 1_000 });

  constructor(private readonly nats: NatsConnections) {}

  async put(name: string, content: Buffer): Promise<void> {
    const { objects } = await this.bucket();
    try {
      await objects.putBlob({ name, options: { max_chunk_size: chunkBytes } }, content, { timeout: timeoutMs });
    } catch (error) {
      throw isFull(error) ? new RecordingStoreFull(error) : error;
    }
  }

  /**
   * Writes an object in the format of the NATS object store client. The subjects of the chunks are derived from the object's name, so that the chunks of a
   * partially written object can be found.
   */
  async putOnce(name: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const { stream } = await this.bucket();
    const nuid = nuidOf(name);
    const chunks = Math.ceil(content.length / chunkBytes);
    try {
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        signal.throwIfAborted();
        await stream.publish(chunksOf(nuid), content.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes), {
          timeout: timeoutMs,
        });
      }
      const digest = createHash('sha256').update(content).digest('base64url');
      const info = {
        name,
        bucket: recordingsBucket.name,
        nuid,
        size: content.length,
        chunks,
        digest: `SHA-256=${digest}=`,
        mtime: new Date().toISOString(),
        deleted: false,
        options: { max_chunk_size: chunkBytes },
      };
      await stream.publish(metaOf(name), JSON.stringify(info), { timeout: timeoutMs });
    } catch (error) {
      await this.delete(name);
      throw isFull(error) ? new RecordingStoreFull(error) : error;
    }
  }

  async read(name: string, from: number, to: number): Promise<Buffer> {
    const { objects, manager } = await this.bucket();
    const info = await objects.info(name);
    if (info === null || info.deleted) throw new RecordingObjectUnreadable(name, 'does not exist');
    // Caches the sequences of a file's chunks, because otherwise reading the last chunk would require reading all chunks before it.
    const places = this.places.get(info.nuid) ?? [];
    this.places.set(info.nuid, places);
    const chunkSize = info.options?.max_chunk_size ?? chunkBytes;
    const [first, end] = [Math.floor(from / chunkSize), Math.min(info.chunks, Math.ceil(to / chunkSize))];
    const chunks: Buffer[] = [];
    for (let chunk = Math.min(first, places.length); chunk < end; chunk += 1) {
      const message = await manager.direct.getMessage(recordingsBucket.stream, {
        seq: places[chunk] ?? (places[chunk - 1] ?? 0) + 1,
        next_by_subj: chunksOf(info.nuid),
      });
      if (message === null) throw new RecordingObjectUnreadable(name, `has only ${chunk} chunks`);
      places[chunk] = message.seq;
      if (chunk >= first) chunks.push(Buffer.from(message.data));
    }
    const content = Buffer.concat(chunks);
    if (first === 0 && end === info.chunks) {
      const digest = createHash('sha256').update(content).digest('base64url');
      if (info.digest.replace(/=+$/, '') !== `SHA-256=${digest}`)
        throw new RecordingObjectUnreadable(name, 'is damaged');
    }
    return content.subarray(from - first * chunkSize, to - first * chunkSize);
  }

  async delete(name: string): Promise<void> {
    const { objects, manager } = await this.bucket();
    const info = await objects.info(name);
    await manager.streams.purge(recordingsBucket.stream, { filter: chunksOf(info?.nuid ?? nuidOf(name)) });
    if (info !== null) await manager.streams.purge(recordingsBucket.stream, { filter: metaOf(name) });
  }

  private bucket(): Promise<Bucket> {
    return (this.opening ??= this.open());
  }

  private async open(): Promise<Bucket> {
    const connection = await this.nats.connection();
    const options = { checkAPI: false, timeout: timeoutMs };
    const objects = await new Objm(jetstream(connection, options)).open(recordingsBucket.name, false);
    return { stream: jetstream(connection, options), objects, manager: await jetstreamManager(connection, options) };
  }
}

const isFull = (error: unknown): boolean => error instanceof JetStreamApiError && fullCodes.includes(error.code);

/** The chunk id of an object that is written only once. */
const nuidOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32);

const chunksOf = (nuid: string): string => `$O.${recordingsBucket.name}.C.${nuid}`;

/** The name encoding of the NATS object store: padded base64url. */
const metaOf = (name: string): string =>
  `$O.${recordingsBucket.name}.M.${Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
