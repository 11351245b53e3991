/** The value after a write: absent keeps it, null clears it, anything else replaces it. */
export const cleared = <T>(stored: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? stored : (sent ?? undefined);
