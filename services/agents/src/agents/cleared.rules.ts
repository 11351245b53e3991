/** A value after a write: absent stays as it is stored, null clears it, anything else replaces it. */
export const cleared = <T>(stored: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? stored : (sent ?? undefined);
