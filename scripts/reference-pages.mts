/** The build step `reference`: writes the pages of docs/ that are generated from the compiled sources and are not in git. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './platform/options.mts';
import { callCodesPage } from './guide/call-codes.mts';
import { callsPage } from './guide/calls.mts';
import { errorCodesPage } from './guide/error-codes.mts';
import { eventTypesPage } from './guide/event-types.mts';
import { limitsPage } from './guide/limits.mts';
import { mcpToolsPage } from './guide/mcp-tools.mts';
import { routesPage } from './guide/routes.mts';
import { scopesPage } from './guide/scopes.mts';
import { tuningFieldsPage } from './guide/tuning-fields.mts';

const pages: Readonly<Record<string, () => string>> = {
  'calls.md': callsPage,
  'error-codes.md': errorCodesPage,
  'limits.md': limitsPage,
  'scopes.md': scopesPage,
  'reference/call-codes.md': callCodesPage,
  'reference/event-types.md': eventTypesPage,
  'reference/mcp-tools.md': mcpToolsPage,
  'reference/routes.md': routesPage,
  'reference/tuning-fields.md': tuningFieldsPage,
};

for (const [name, write] of Object.entries(pages)) writeFileSync(path.join(root, 'docs', name), write());
