/**
 * Jest runs tests in a realm of its own: there, what Node's own modules throw (`connect ECONNREFUSED`) is no `instanceof Error`. In
 * production there is one realm, so code that asks would be tested as it never runs, and only where a server was truly away.
 */
const { isNativeError } = require('node:util/types');
const { deserialize, serialize } = require('node:v8');

const ofSameRealm = Function.prototype[Symbol.hasInstance];

function inheritsFrom(error, name) {
  for (let at = Object.getPrototypeOf(error); at !== null; at = Object.getPrototypeOf(at)) {
    if (at.constructor?.name === name) return true;
  }
  return false;
}

for (const kind of [Error, AggregateError, RangeError, SyntaxError, TypeError]) {
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(candidate) {
      // Classes of ours inherit this method and stay as strict as they are.
      const foreign = this === kind && isNativeError(candidate) && inheritsFrom(candidate, kind.name);
      return foreign || ofSameRealm.call(this, candidate);
    },
  });
}

// What native addons return is of Node's realm, and onnxruntime-node compares it with the constructor that it sees.
globalThis.Float32Array = deserialize(serialize(new Float32Array(1))).constructor;
