/**
 * The pure compiler of voice stacks: a configuration and a catalogue in; blockers, a projection and the publication out, without I/O. voice-stack publishes
 * with it; agents compiles drafts with it in its own process, against the catalogue that voice-stack serves.
 */
export {
  findModel,
  type Catalogue,
  type DeliveryProfile,
  type DeliveryValue,
  type Figures,
  type LanguageModel,
  type Provider,
  type TranscriberModel,
  type VoiceModel,
} from './catalogue';
export { compile, type Compilation } from './compile';
export { covers } from './language';
export { chooseVoice, componentKey } from './stack';
