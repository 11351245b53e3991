/** What the platform knows of the components of providers: what the engine runs, and their options. */
export { engineComponents, optionsOf, runsInCalls } from './engine-components';
export { knownOptions, optionProblem, type OptionRule, type OptionTable } from './option-rules';
