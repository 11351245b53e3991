import { errorCodesPage } from './error-codes.mts';
import { limitsPage } from './limits.mts';
import { scopesPage } from './scopes.mts';

/** The pages of docs/ that are generated from code, by file name. */
export const writtenPages: Readonly<Record<string, () => string>> = {
  'error-codes.md': errorCodesPage,
  'scopes.md': scopesPage,
  'limits.md': limitsPage,
};
