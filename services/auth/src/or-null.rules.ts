/** An empty text in a record becomes null in a view. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
