/** The tools of a call: the definitions for the model, and the execution of its tool calls. */
export { ThreadedValidator } from './argument-validator';
export { modelToolsOf } from './definitions';
export { LeasedToolRunner, type ToolRunnerOptions } from './leased-tool-runner';
export { leasedTools, openCredentials, type ToolPlatform } from './tool-platform';
