export type * from './json/json-value';
export * from './json/parse-json-strict';
export * from './json/canonical-json';
export * from './limits';
export * from './scopes';
export * from './events';
export * from './token';
export type * from './rules/class-facts';
export * from './rules/decorators';
export {
  codePoints,
  Entries,
  isObject,
  isTimestamp,
  JsonObjectWithin,
  Text,
  textFault,
  Timestamp,
  type EntryBounds,
} from './rules/constraints';
export { deprecatedSince } from './rules/deprecated-fields';
export * from './rules/validate';
export * from './rules/query';
export { renderTemplate, templateFault, templateLanguage, type TemplateMessage } from './rules/template-text';
export { callVariables } from './rules/call-variables';
export { nearestName } from './rules/suggest';
export { addressFault } from './rules/address';
export * from './schema/json-schema-of';
export * from './objects/agent';
export * from './objects/agent-endpoint';
export * from './objects/agent-update';
export * from './objects/agent-view';
export * from './objects/agent-voice-stack-update';
export * from './objects/answer-detection';
export * from './objects/api-key';
export * from './objects/audio-environment';
export * from './objects/call';
export * from './objects/carrier-credential';
export * from './objects/carrier-webhook';
export * from './objects/campaign';
export * from './objects/controls';
export * from './objects/outbound-policy';
export * from './objects/wallet';
export * from './objects/component-credential';
export * from './objects/components';
export * from './objects/event';
export * from './objects/fields';
export * from './objects/gateway-token';
export * from './objects/languages';
export * from './objects/message';
export * from './objects/message-template';
export * from './objects/media-gateway';
export * from './objects/navigation';
export * from './objects/number';
export * from './objects/opening';
export * from './objects/organization';
export * from './objects/page';
export * from './objects/publication';
export * from './objects/recording';
export * from './objects/tools';
export * from './objects/translation';
export * from './objects/trial-call';
export * from './objects/turn-taking';
export * from './objects/variables';
export * from './objects/voice-polish';
export * from './objects/voice-preview';
export * from './objects/workflow';
export * from './objects/worker-job';
export type * from './documents/voice-stack-configuration';
export type * from './documents/runtime-configuration';
export * from './effective/catalogue-facts';
export * from './effective/effective-tuning';
export * from './rules/language-code';
export * from './routes';
export { openApiDocument } from './openapi/document';
export { asyncApiDocument } from './asyncapi/document';
