/** The operations of docs/openapi.json: method, path, and their names in the SDK. */
declare module 'virtual:operations' {
  const operations: readonly (readonly [method: string, path: string, tag: string, id: string])[];
  export default operations;
}

/** The figures of turn_taking in docs/openapi.json, with their bounds. */
declare module 'virtual:turn-taking' {
  const fields: readonly { readonly name: string; readonly min: number; readonly max: number }[];
  export default fields;
}
