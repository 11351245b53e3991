/** Language models with the account of the organization or of this installation. */
export { languageModels, type LanguageModels } from './language-models';
export { modelPrices, type ModelPrices } from './model-prices';
