/** What a record keeps as an empty text, a view shows as null. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
