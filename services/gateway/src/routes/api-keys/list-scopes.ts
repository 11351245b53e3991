import { bundleCatalogue, routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { route } from '../../route';

/** The live catalogue changes with a release, never while a process runs. */
const catalogue = jsonAnswer(bundleCatalogue());

export default route(routes.listScopes, async () => catalogue);
