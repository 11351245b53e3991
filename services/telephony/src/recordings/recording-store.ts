/** Storage for recordings: parts of 1 MiB at most, and files. */
export interface RecordingStore {
  /** Idempotent for the same bytes. @throws RecordingStoreFull */
  put(key: string, content: Buffer): Promise<void>;
  /**
   * An object written once by a single writer; if the write fails or the process dies, `delete` removes any partial data.
   * @throws RecordingStoreFull
   */
  putOnce(key: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /** The bytes from `from` (inclusive) to `to` (exclusive). @throws RecordingObjectUnreadable */
  read(key: string, from: number, to: number): Promise<Buffer>;
  /** A missing object counts as deleted. */
  delete(key: string): Promise<void>;
}

/** The store has no space left. */
export class RecordingStoreFull extends Error {
  constructor(cause: unknown) {
    super('the recording store is full', { cause });
    this.name = 'RecordingStoreFull';
  }
}

/** The store responds, but lacks the object or a part of it. */
export class RecordingObjectUnreadable extends Error {
  constructor(
    readonly key: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`the object ${key} of the recording store ${problem}`, options);
    this.name = 'RecordingObjectUnreadable';
  }
}

/** The object that holds a part. Part and call are inserted into the table before the object is written, so that every stored object can be found. */
export const partKey = (organizationId: string, callId: string, part: number): string =>
  `${organizationId}/${callId}/${part}`;

/** The object that holds a whole recording. The file's id ends with the extension of its format. */
export const fileKey = (organizationId: string, callId: string, fileId: string): string =>
  `${organizationId}/${callId}/${fileId}`;
