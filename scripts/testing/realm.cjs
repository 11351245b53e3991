/**
 * Tests run in a realm of their own, where Node's modules give and take objects of Node's realm: native modules refuse arrays of another realm, and errors of
 * Node are to be errors here too.
 */
const { runInThisContext } = require('node:vm');

globalThis.Float32Array = runInThisContext('Float32Array');
for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError']) {
  const own = globalThis[name];
  const ofNode = runInThisContext(name);
  const ordinary = own[Symbol.hasInstance];
  Object.defineProperty(own, Symbol.hasInstance, {
    value(error) {
      return ordinary.call(this, error) || (this === own && error instanceof ofNode);
    },
  });
}
// The loggers of all services of a test file write the rest of their output when the process exits.
process.setMaxListeners(0);
