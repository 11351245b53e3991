/** Where the bytes of recordings are: parts of 1 MiB at most, and files. */
export interface RecordingStore {
  /** Repeated with the same bytes it changes nothing. @throws RecordingStoreFull */
  put(key: string, content: Buffer): Promise<void>;
  /**
   * An object that one writer writes, once: where that fails or dies on the way, `delete` takes away what there is of it.
   * @throws RecordingStoreFull
   */
  putOnce(key: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /** The bytes from one place up to and without another. @throws RecordingObjectUnreadable */
  read(key: string, from: number, to: number): Promise<Buffer>;
  /** One that is not there is deleted already. */
  delete(key: string): Promise<void>;
}

/** The store has no room left. */
export class RecordingStoreFull extends Error {
  constructor(cause: unknown) {
    super('the recording store is full', { cause });
    this.name = 'RecordingStoreFull';
  }
}

/** The store answers, and has not the object, or not all of it. */
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

/** The object that holds a part. Part and call are in the index before it is written, so that nothing is stored that cannot be found. */
export const partKey = (organizationId: string, callId: string, part: number): string =>
  `${organizationId}/${callId}/${part}`;

/** The object that holds a whole recording. Its id has the ending of its format. */
export const fileKey = (organizationId: string, callId: string, fileId: string): string =>
  `${organizationId}/${callId}/${fileId}`;
