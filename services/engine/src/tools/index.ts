/** The tools of a call: what a model is offered, and what happens when it calls one. */
export { ThreadedValidator, type ArgumentValidator } from './argument-validator';
export { modelToolsOf } from './definitions.rules';
export { LeasedToolRunner, type ToolRunnerOptions } from './leased-tool-runner';
export type { ToolCallEntry, ToolCallRequest, ToolEffect, ToolOutcome, ToolRunner } from './tool-call';
export { leasedTools, openCredentials, type PostUnderLease, type ToolPlatform } from './tool-platform';
