/** A JSON Schema as an object; its keywords are not interpreted here. */
export type JsonSchema = Readonly<Record<string, unknown>>;
