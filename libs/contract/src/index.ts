/**
 * The single definition of the public interface: field rules as decorated classes, routes, events, scopes and limits, and what is derived from them (JSON
 * Schema, OpenAPI, AsyncAPI, MCP tools). Use `parseJsonStrict` for input from outside, and `validate` with the class of a body; declare routes in `routes/`. Do
 * not define rules of the interface anywhere else, and do not define values here that an operator may change: those are configuration.
 */
export type * from './json/json-value';
export * from './json/parse-json-strict';
export * from './json/canonical-json';
export * from './limits';
export * from './scopes';
export * from './events';
export * from './token';
export type * from './rules/class-facts';
export * from './rules/decorators';
export { codePoints, isTimestamp, Text, textError, type EntryBounds } from './rules/constraints';
export { deprecatedSince } from './rules/deprecated-fields';
export { boundsOf, defaultOf, defaultsOf, fieldPaths, resolve } from './rules/resolved';
export { holdsSecrets, removeSecrets, secretMask } from './rules/secret-fields';
export * from './rules/validate';
export * from './rules/query';
export * from './rules/outside-text';
export {
  isTemplateName,
  renderTemplate,
  templateError,
  templateNames,
  unreadPlaceholders,
  type TemplateMessage,
} from './rules/template-text';
export { addressesIn, liesWithin } from './rules/cidr';
export { callVariables } from './rules/call-variables';
export { simulationProblem, type SimulationProblem } from './rules/simulation-problem';
export * from './schema/json-schema-of';
export { sampleOf } from './schema/sample';
export * from './objects/agent';
export * from './objects/agent-endpoint';
export * from './objects/agent-settings';
export * from './objects/agent-update';
export * from './objects/agent-configuration';
export * from './objects/analytics';
export * from './objects/coverage';
export * from './objects/usage';
export * from './objects/worker-list';
export * from './objects/agent-view';
export * from './objects/agent-voice-stack-update';
export * from './objects/knowledge';
export * from './objects/answer-detection';
export * from './objects/api-key';
export * from './objects/audio-environment';
export * from './objects/call';
export * from './objects/call-codes';
export * from './objects/call-evidence';
export * from './objects/call-live';
export * from './objects/hand-over';
export * from './objects/transcript';
export * from './objects/transfer';
export * from './objects/capabilities';
export * from './objects/ended-reasons';
export * from './objects/carrier-credential';
export * from './carriers';
export {
  compatibleServers,
  engineComponents,
  optionsOf,
  runsInCalls,
  type CompatibleServer,
} from './providers/engine-components';
export { deepgramNova3, listedCode } from './providers/languages';
export { knownOptions, optionProblem, type OptionRule, type OptionTable } from './providers/option-rules';
export * from './objects/campaign';
export * from './objects/campaign-import';
export * from './objects/campaign-window';
export * from './objects/connection';
export * from './objects/controls';
export * from './objects/outbound-policy';
export * from './objects/wallet';
export * from './objects/component-credential';
export * from './objects/components';
export * from './objects/event';
export * from './objects/extraction';
export { dialedAddress, isExtension } from './dialing/dialed-address';
export * from './dialing/never-dialed';
export { reachableNumbers } from './dialing/reachable-numbers';
export * from './objects/fields';
export * from './objects/gateway-token';
export * from './objects/languages';
export * from './objects/live-control';
export * from './objects/me';
export * from './objects/message';
export * from './objects/message-template';
export * from './objects/media-gateway';
export * from './objects/navigation';
export * from './objects/number';
export * from './objects/simulation';
export * from './objects/simulation-job';
export * from './objects/simulation-scenario';
export * from './objects/sip-trunk';
export * from './objects/opening';
export * from './objects/organization';
export * from './objects/page';
export * from './objects/publication';
export * from './objects/recording';
export * from './objects/retention';
export * from './objects/test-call';
export * from './objects/chat';
export * from './objects/demo';
export * from './objects/verification';
export * from './objects/tools';
export * from './objects/translation';
export * from './objects/trial-call';
export * from './objects/turn-taking';
export * from './objects/variables';
export * from './objects/voice-polish';
export * from './objects/voice';
export * from './objects/voice-preview';
export * from './objects/workflow';
export * from './objects/worker-job';
export * from './objects/worker-tools';
export * from './documents/message-recipients';
export * from './documents/stored-tool';
export * from './documents/needed-accounts';
export * from './documents/needs';
export * from './documents/readiness';
export type * from './documents/voice-stack-configuration';
export * from './documents/effective-tuning';
export type * from './documents/runtime-configuration';
export * from './effective/catalogue-facts';
export * from './effective/answer-detection';
export * from './effective/effective-tuning';
export { sensitivityPresets } from './effective/turns';
export * from './rules/language-code';
export * from './routes';
export { openApiDocument } from './openapi/document';
export { asyncApiDocument } from './asyncapi/document';
export { dataClassOf } from './objects/event-data';
