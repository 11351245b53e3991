/**
 * A test environment of Jest without a realm of its own: tests run in the realm of Node, as the code does in production. The state of a test
 * file on the global object and its changes of environment variables are removed after it.
 */
const { createRequire } = require('node:module');

const ofCore = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'));
const ofNodeEnvironment = createRequire(createRequire(ofCore.resolve('jest-config')).resolve('jest-environment-node'));
const { ModernFakeTimers } = ofNodeEnvironment('@jest/fake-timers');
const { ModuleMocker } = ofNodeEnvironment('jest-mock');

module.exports = class SharedModulesEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  before = new Set(Object.getOwnPropertySymbols(globalThis));
  variables = { ...process.env };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.fakeTimers = this.fakeTimersModern;
    Error.stackTraceLimit = 100;
    // Loggers of all test files write the rest of their output when the process exits.
    process.setMaxListeners(0);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    // Symbols are the state of Jest for this file, and registrations such as that of a tracer. Names are functions of Jest, which the next file replaces, and what
    // shared modules keep, such as the rules of class-validator.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (!this.before.has(key)) Reflect.deleteProperty(globalThis, key);
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
  }

  exportConditions() {
    return ['node', 'node-addons', 'require'];
  }

  getVmContext() {
    return globalThis;
  }
};
