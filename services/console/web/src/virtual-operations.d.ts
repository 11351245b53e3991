/** The operations of docs/openapi.json: method, path, and their names in the SDK. */
declare module 'virtual:operations' {
  const operations: readonly (readonly [method: string, path: string, tag: string, id: string])[];
  export default operations;
}
