/** Empty text in a record is null in a view. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
