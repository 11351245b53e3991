/** The store has no space left. */
export class RecordingStoreFull extends Error {
  constructor(cause: unknown) {
    super('the recording store is full', { cause });
    this.name = 'RecordingStoreFull';
  }
}

/** The store responds, but the object or a part of it is missing. */
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

/**
 * A part that is in the table but missing in the store ends the recording before it, once this many attempts to read it have failed (about five minutes).
 */
export const failuresBeforeCut = 5;

/** The name of the object that contains a part. The part is inserted into the table before the object is written, so that every stored object can be found. */
export const partKey = (organizationId: string, callId: string, part: number): string =>
  `${organizationId}/${callId}/${part}`;

/** The name of the object that contains a whole recording. The id of the file ends with the extension of its format. */
export const fileKey = (organizationId: string, callId: string, fileId: string): string =>
  `${organizationId}/${callId}/${fileId}`;
