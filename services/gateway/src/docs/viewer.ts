import path from 'node:path';
import { fileResource, type Resource } from './resource';

/*
 * Why swagger-ui-dist: it is one script and one style sheet, complete in the package, so that nothing is fetched from elsewhere;
 * it draws OpenAPI 3.1 with the bounds of every field; and it lives under a policy without 'unsafe-inline' and
 * 'unsafe-eval' (npm run test:browser holds it to that), where a viewer that injects style elements, as redoc does with
 * styled-components, would need an exception. Its only dependency, which reports installations, is taken out in
 * pnpm-workspace.yaml.
 */
const viewer = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const ours = path.resolve(__dirname, '../../assets');

/** The reference and the resources of its page, by path: a fixed map, so that a requested name never becomes a file path. */
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
