/** 8 MiB: a body of 1 MiB grows in JSON inside JSON, and a page of documents holds several. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** No client of ours waits longer for one answer. */
export const LONGEST_DEADLINE_MS = 30_000;
