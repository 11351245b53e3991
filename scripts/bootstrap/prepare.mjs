// Install, what is generated, build, the console's pages and the guide: each is skipped when what it reads has not changed since it was last done.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { pinnedPnpm } from './pnpm.mjs';
import { quietly, readStamp, root, step, workFolder, writeStamp } from './steps.mjs';

const packageFolders = ['libs', 'services', 'clients'];
const consoleFolder = 'services/console';

/**
 * Brings node_modules, generated code and dist up to date. Nothing is deleted: a running platform keeps what it has loaded.
 * @param withGuide also the pages of docs/, which only a running gateway shows
 */
export async function prepare(withGuide) {
  const names = Object.keys(steps).filter((name) => name !== 'guide' || withGuide);
  if (names.every(isDone)) return;
  await withLock(path.join(workFolder, 'build.lock'), async () => {
    for (const name of names) {
      const { print, isThere, work } = steps[name];
      const before = print();
      if (readStamp(name) === before && isThere()) continue;
      await step(name, work);
      writeStamp(name, before);
    }
  });
}

const steps = {
  install: {
    print: () =>
      contents([...manifests(), 'pnpm-lock.yaml', 'pnpm-workspace.yaml'], `${process.platform}-${process.arch}`),
    isThere: () => existsSync(path.join(root, 'node_modules/.modules.yaml')),
    work: async () =>
      quietly(await pinnedPnpm(), ['install', '--frozen-lockfile', '--reporter=append-only'], {
        env: environmentOfPnpm(),
      }),
  },
  generate: {
    print: () => contents([...filesBelow('proto', /\.proto$/), 'buf.yaml', 'buf.gen.yaml', 'pnpm-lock.yaml']),
    isThere: () => existsSync(path.join(root, 'proto/gen')),
    work: () => quietly(path.join(root, 'node_modules/.bin/buf'), ['generate'], { env: environmentWithThisNode() }),
  },
  clients: {
    print: () =>
      contents([
        ...filesBelow('scripts/sdk', /(?<!\.test)\.mts$/),
        'scripts/sdk.mts',
        'docs/openapi.json',
        'docs/asyncapi.json',
        'services/gateway/assets/test/worklets.js',
        'pnpm-lock.yaml',
      ]),
    isThere: () => ignored('clients/').every((file) => existsSync(path.join(root, file))),
    work: () => quietly(process.execPath, [path.join(root, 'scripts/sdk.mts')]),
  },
  build: {
    print: () => times([...sources(), 'tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml']),
    isThere: () => packages().every((folder) => existsSync(path.join(root, folder, 'dist'))),
    work: () => quietly(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-b'], {}),
  },
  pages: {
    print: () =>
      contents([
        ...filesBelow(`${consoleFolder}/web`, /./),
        `${consoleFolder}/package.json`,
        'clients/typescript/src/test-call.ts',
        'clients/typescript/src/webhooks.ts',
        'docs/openapi.json',
        'pnpm-lock.yaml',
      ]),
    isThere: () => existsSync(path.join(root, consoleFolder, 'dist/web/index.html')),
    work: () =>
      quietly(process.execPath, [
        path.join(root, consoleFolder, 'node_modules/vite/bin/vite.js'),
        'build',
        path.join(root, consoleFolder, 'web'),
      ]),
  },
  reference: {
    print: () =>
      contents([
        ...filesBelow('libs/contract/src', /./),
        ...filesBelow('libs/errors/src', /./),
        ...filesBelow('services/gateway/src/mcp', /./),
        ...filesBelow('services/telephony/src', /call-transitions\.rules\.ts$/),
        ...filesBelow('scripts/guide', /./),
        'scripts/reference-pages.mts',
      ]),
    isThere: () => ignored('docs/').every((file) => existsSync(path.join(root, file))),
    work: () => quietly(process.execPath, [path.join(root, 'scripts/reference-pages.mts')]),
  },
  guide: {
    print: () => contents([...filesBelow('docs', /\.(md|mts|css|png|svg)$/), 'CHANGELOG.md', 'pnpm-lock.yaml']),
    isThere: () => existsSync(path.join(root, 'services/gateway/dist/guide/llms.txt')),
    work: () =>
      quietly(process.execPath, [path.join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs']),
  },
};

function isDone(name) {
  return readStamp(name) === steps[name].print() && steps[name].isThere();
}

/** npm reads npm_config_*; pnpm has a prefix of its own. */
function environmentOfPnpm() {
  const registry = process.env.npm_config_registry;
  return { ...environmentWithThisNode(), CI: '1', ...(registry ? { pnpm_config_registry: registry } : {}) };
}

function environmentWithThisNode() {
  return { ...process.env, PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) };
}

function packages() {
  const folders = packageFolders.flatMap((parent) =>
    readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`),
  );
  return ['proto', ...folders].filter((folder) => existsSync(path.join(root, folder, 'tsconfig.json')));
}

/** The files and folders below a folder that .gitignore names. */
function ignored(folder) {
  const names = readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n');
  return names.filter((name) => name.startsWith(`/${folder}`));
}

function manifests() {
  return ['.', ...packages()].map((folder) => path.join(folder, 'package.json'));
}

function sources() {
  return [
    ...manifests(),
    ...packages().flatMap((folder) => [
      `${folder}/tsconfig.json`,
      ...filesBelow(sourceFolder(folder), /\.(ts|js|json)$/),
    ]),
  ];
}

function sourceFolder(folder) {
  return folder === 'proto' ? 'proto/gen' : `${folder}/src`;
}

/** Every file below a folder of the checkout whose name matches, by its path from the root; not those of dependencies. */
function filesBelow(folder, name) {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'gen'].includes(entry.name) ? [] : filesBelow(file, name);
    return name.test(entry.name) ? [file] : [];
  });
}

function contents(files, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of files.sort())
    hash.update(`\0${file}\0`).update(existsSync(path.join(root, file)) ? readFileSync(path.join(root, file)) : '');
  return hash.digest('hex');
}

/** Times and sizes, as tsc itself judges: hundreds of files are not read for nothing. */
function times(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const stat = statSync(path.join(root, file), { throwIfNoEntry: false });
    hash.update(`\0${file}\0${stat?.mtimeMs}\0${stat?.size}`);
  }
  return hash.digest('hex');
}
