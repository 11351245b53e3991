/** The value of a field after a write: if the field is absent in the write the stored value stays, null clears it, any other value replaces it. */
export const cleared = <T>(stored: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? stored : (sent ?? undefined);
