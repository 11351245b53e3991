import { errorCodesPage } from './error-codes.mts';
import { limitsPage } from './limits.mts';
import { routesPage } from './routes.mts';
import { scopesPage } from './scopes.mts';
import { tuningFieldsPage } from './tuning-fields.mts';

/** The pages of docs/ that are generated from code, by file name. */
export const writtenPages: Readonly<Record<string, () => string>> = {
  'error-codes.md': errorCodesPage,
  'scopes.md': scopesPage,
  'limits.md': limitsPage,
  'reference/routes.md': routesPage,
  'reference/tuning-fields.md': tuningFieldsPage,
};
