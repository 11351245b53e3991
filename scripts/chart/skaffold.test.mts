import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceNames } from '../platform/services.mts';
import { test } from 'node:test';
import Ajv from 'ajv';
import { parseAllDocuments } from 'yaml';
import { podOf } from './policies.mts';
import { chart, helm, manifestsOf, type Manifest } from './render.mts';

/**
 * Tests skaffold.yaml without skaffold: its fields are those of skaffold/v4beta13 (reproduced below from the published schema), every path exists, and the
 * release of each profile can be rendered with the values that skaffold would set.
 */
const root = path.resolve(chart, '../..');
const documents = parseAllDocuments(readFileSync(path.join(root, 'skaffold.yaml'), 'utf8')).map(
  (document) => document.toJS() as Config,
);

interface Release {
  readonly name: string;
  readonly chartPath: string;
  readonly valuesFiles: readonly string[];
  readonly setValueTemplates: Readonly<Record<string, string>>;
  readonly setValues: Readonly<Record<string, string>>;
}
interface Config {
  readonly metadata: { readonly name: string };
  readonly requires?: readonly { readonly configs: readonly string[] }[];
  readonly build?: { readonly artifacts: readonly { image: string; docker: { dockerfile: string } }[] };
  readonly manifests?: { readonly rawYaml: readonly string[] };
  readonly deploy: { readonly kubectl?: object; readonly helm?: { readonly releases: readonly Release[] } };
  readonly portForward?: readonly { resourceType: string; resourceName: string; port: number }[];
  readonly profiles?: readonly { name: string; patches: readonly { op: string; path: string; value: string }[] }[];
}

const text = { type: 'string', minLength: 1 };
const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const list = (items: object) => ({ type: 'array', minItems: 1, items });
const settings = { type: 'object', additionalProperties: { type: 'string' } };

/** The part of skaffold/v4beta13 that is used here. As in the published schema, objects allow no other fields. */
const schema = object(
  {
    apiVersion: { const: 'skaffold/v4beta13' },
    kind: { const: 'Config' },
    metadata: object({ name: text }, ['name']),
    requires: list(object({ configs: list(text) }, ['configs'])),
    build: object({
      artifacts: list(object({ image: text, docker: object({ dockerfile: text }) }, ['image'])),
      local: object({ push: { type: 'boolean' } }),
    }),
    manifests: object({ rawYaml: list(text) }),
    deploy: object({
      statusCheck: { type: 'boolean' },
      kubectl: object({
        hooks: object({
          before: list(object({ host: object({ command: list(text) }, ['command']) }, ['host'])),
        }),
      }),
      helm: object(
        {
          releases: list(
            object(
              {
                name: text,
                chartPath: text,
                valuesFiles: list(text),
                setValueTemplates: settings,
                setValues: settings,
              },
              ['name'],
            ),
          ),
        },
        ['releases'],
      ),
    }),
    portForward: list(
      object({
        resourceType: { enum: ['service', 'deployment', 'pod', 'statefulset'] },
        resourceName: text,
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        localPort: { type: 'integer', minimum: 1, maximum: 65_535 },
      }),
    ),
    profiles: list(
      object(
        {
          name: text,
          patches: list(
            object(
              {
                op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
                path: { type: 'string', pattern: '^(/[^/]+)+$' },
                value: {},
              },
              ['path'],
            ),
          ),
        },
        ['name'],
      ),
    ),
  },
  ['apiVersion', 'kind'],
);

const named = (name: string): Config => {
  const found = documents.find(({ metadata }) => metadata.name === name);
  assert.ok(found, `no configuration ${name}`);
  return found;
};
const release = (config: Config): Release => {
  const [only, ...others] = config.deploy.helm?.releases ?? [];
  assert.ok(only !== undefined && others.length === 0);
  return only;
};

await test('skaffold.yaml has the fields that skaffold/v4beta13 has', () => {
  const validate = new Ajv.default({ allErrors: true, strict: true, strictRequired: false }).compile(schema);
  for (const document of documents) assert.ok(validate(document), JSON.stringify(validate.errors));
  assert.equal(validate({ ...documents[0], deploy: { kubectl: {}, helmet: {} } }), false);
});

await test('the servers start before the release, whose migrations wait for them', () => {
  const parley = named('parley');
  const required = parley.requires?.flatMap(({ configs }) => configs) ?? [];
  assert.deepEqual(required, ['servers']);
  // Within one configuration, skaffold installs helm releases first.
  for (const { deploy } of documents) assert.ok(deploy.helm === undefined || deploy.kubectl === undefined);
  assert.deepEqual(named('servers').manifests?.rawYaml, ['charts/parley/examples/stack.yaml']);
});

await test('every file that skaffold.yaml names exists', () => {
  // Those of the release are read when it is rendered.
  const files = documents.flatMap(({ build, manifests }) => [
    ...(build?.artifacts.map(({ docker }) => docker.dockerfile) ?? []),
    ...(manifests?.rawYaml ?? []),
  ]);
  assert.equal(files.length, 2);
  for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
});

/** JSON Patch, restricted to the operation that the profiles use: `add` of a member. */
function patched(config: Config, profile: string): Config {
  const copy = structuredClone(config);
  const found = config.profiles?.find(({ name }) => name === profile);
  assert.ok(found, `no profile ${profile}`);
  for (const { op, path: pointer, value } of found.patches) {
    assert.equal(op, 'add');
    const keys = pointer.slice(1).split('/');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], copy);
    assert.ok(typeof parent === 'object' && parent !== null, `${pointer} leads nowhere`);
    (parent as Record<string, unknown>)[last] = value;
  }
  return copy;
}

/** The flags that skaffold passes to helm for a release with an image that it has built. */
function flagsOf({ valuesFiles, setValues, setValueTemplates }: Release, images: readonly string[]): string[] {
  const environment: Record<string, string> = {};
  for (const image of images) {
    environment[`IMAGE_REPO_${image.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`] = image;
    environment[`IMAGE_TAG_${image.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`] = 'v1-dirty';
  }
  const filled = Object.entries(setValueTemplates).map(([name, template]) => {
    const value = template.replaceAll(/\{\{\.(\w+)\}\}/g, (_, variable: string) => {
      assert.ok(environment[variable] !== undefined, `skaffold knows no ${variable}`);
      return environment[variable];
    });
    return `${name}=${value}`;
  });
  return [
    ...valuesFiles.flatMap((file) => ['--values', path.join(root, file)]),
    ...[...Object.entries(setValues).map(([name, value]) => `${name}=${value}`), ...filled].flatMap((one) => [
      '--set',
      one,
    ]),
  ];
}

async function rendered(config: Config): Promise<Manifest[]> {
  const { name, chartPath, ...rest } = release(config);
  const images = config.build?.artifacts.map(({ image }) => image) ?? [];
  const flags = flagsOf({ name, chartPath, ...rest }, images);
  const { ok, output } = await helm(['template', name, path.join(root, chartPath), ...flags]);
  assert.ok(ok, output);
  return manifestsOf(output);
}

const deployments = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment').flatMap((manifest) => podOf(manifest)?.containers ?? []);

const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dev: { LOG_LEVEL: 'debug' },
  debug: { LOG_LEVEL: 'debug', NODE_OPTIONS: '--inspect=0.0.0.0:9229' },
};

for (const profile of documents.flatMap(({ profiles }) => profiles?.map(({ name }) => name) ?? [])) {
  await test(`the profile ${profile} renders, with the image that was built and the values that it sets`, async () => {
    const environment = environments[profile];
    assert.ok(environment);
    const config = patched(named('parley'), profile);
    const manifests = await rendered(config);
    const containers = deployments(manifests);
    assert.equal(containers.length, serviceNames.length);
    for (const { image, env = [] } of containers) {
      assert.equal(image, 'parley:v1-dirty');
      for (const [name, value] of Object.entries(environment)) {
        assert.equal(env.find((one) => one.name === name)?.value, value);
      }
    }
    for (const { resourceType, resourceName, port } of config.portForward ?? []) {
      const target = manifests.find(
        ({ kind, metadata }) => kind.toLowerCase() === resourceType && metadata.name === resourceName,
      );
      const { ports } = (target?.spec ?? {}) as { ports?: { port: number }[] };
      assert.ok(
        ports?.some((one) => one.port === port),
        `${resourceType} ${resourceName} has no port ${port}`,
      );
    }
  });
}
