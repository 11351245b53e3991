/**
 * The compiler of voice stacks. It is pure, without I/O: from a configuration and a catalogue it computes blockers, a projection and the publication. The
 * voice-stack service uses it to publish; the agents service compiles drafts with it in its own process, against the catalogue that voice-stack serves.
 */
export {
  findModel,
  type Catalogue,
  type DeliveryControl,
  type DeliveryProfile,
  type DeliveryValue,
  type Figure,
  type Figures,
  type LanguageModel,
  type Provider,
  type TranscriberModel,
  type VoiceModel,
} from './catalogue';
export { compile, type Compilation } from './compile';
export { covers } from './language';
export { chooseVoice, componentKey } from './stack';
