/** Language models, used with a credential of the organization or the account of this installation. */
export { languageModels, type LanguageModels } from './language-models';
export { modelPrices, type ModelPrices } from './model-prices';
