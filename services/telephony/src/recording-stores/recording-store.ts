/** Where the bytes of recordings are, in objects of 1 MiB at most. */
export interface RecordingStore {
  /** Repeated with the same bytes it changes nothing. @throws RecordingStoreFull */
  put(key: string, content: Buffer): Promise<void>;
  /** The bytes from one place up to and without another. @throws Error for an object that is not there */
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

/** The object that holds a part. Part and call are in the index before it is written, so that nothing is stored that cannot be found. */
export const partKey = (organizationId: string, callId: string, part: number): string =>
  `${organizationId}/${callId}/${part}`;
