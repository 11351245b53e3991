/** Of docs/openapi.json: method, path, and the names under which the SDK has the operation. */
declare module 'virtual:operations' {
  const operations: readonly (readonly [method: string, path: string, tag: string, id: string])[];
  export default operations;
}
