/** The variables that an agent declares. */
export { getVariables } from './get-variables';
export { replaceVariables } from './replace-variables';
