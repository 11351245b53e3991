/** Protobuf has no null: an empty text stands for a value that is not there (yet). */
export const orNull = (text: string): string | null => (text === '' ? null : text);
