/** The tools of a call: what a model is offered, and what happens when it calls one. */
export { ThreadedValidator } from './argument-validator';
export { modelToolsOf } from './definitions';
export { LeasedToolRunner, type ToolRunnerOptions } from './leased-tool-runner';
export { leasedTools, openCredentials, type ToolPlatform } from './tool-platform';
