/**
 * Jest's module loader, but what is built or installed is loaded by Node, once for all test files of a worker. Jest would load it again for each file, which took
 * half of the CPU time of integration tests. Sources of packages and tests are still loaded for each file.
 */
const { createRequire } = require('node:module');
const { compileFunction, constants } = require('node:vm');

const ofCore = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'));
const { default: Runtime } = ofCore('jest-runtime');
/** What uses the global functions of Jest, which belong to a test file. */
const usesJest = /^@parley\/testing(\/|$)/;

module.exports = class SharedModulesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModuleOrMock(from, name) {
    const ofJest =
      name === '@jest/globals' || usesJest.test(name) || this.mockState.shouldMockCjs(from, name).shouldMock;
    const isShared = !ofJest && (!/^\.{0,2}(\/|$)/.test(name) || /\/dist\//.test(name));
    return isShared ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
module.exports.default = module.exports;
