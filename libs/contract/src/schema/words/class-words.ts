/** Descriptions of fields, by class and field. */
export type ClassWords = Readonly<Record<string, Readonly<Record<string, string>>>>;
