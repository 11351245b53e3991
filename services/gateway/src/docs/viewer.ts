import path from 'node:path';
import { fileResource, type Resource } from './resource';

/**
 * swagger-ui-dist is used because it consists of one script and one style sheet, so nothing is loaded from elsewhere; it displays OpenAPI 3.1 with the limits
 * of every field; and it works without 'unsafe-inline' and 'unsafe-eval' in the content security policy (npm run test:browser verifies this). A viewer that
 * injects style elements, as redoc does with styled-components, would need an exception. Its only dependency, which reports installations, is removed in
 * pnpm-workspace.yaml.
 */
const viewer = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const ours = path.resolve(__dirname, '../../assets');

/** The API reference page and its resources, by path: a fixed map, so that a requested name is never used as a file path. */
export function viewerResources(): ReadonlyMap<string, Resource> {
  const page = (name: string): Resource => fileResource(path.join(ours, name));
  return new Map([
    ['/docs', page('reference.html')],
    ['/docs/', page('reference.html')],
    ['/docs/events', page('events.html')],
    ['/docs/errors', page('errors.html')],
    ...['reference.css', 'reference.js', 'samples.js', 'pages.js'].map((name) => entry(ours, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => entry(viewer, name)),
  ]);
}

const entry = (folder: string, name: string): [string, Resource] => [
  `/docs/${name}`,
  fileResource(path.join(folder, name)),
];
