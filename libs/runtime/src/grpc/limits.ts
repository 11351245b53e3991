/** 8 MiB, because a body of 1 MiB grows when it is nested as JSON within JSON, and a page contains several documents. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** The maximum deadline: no client of the platform waits longer for a response. */
export const LONGEST_DEADLINE_MS = 30_000;
