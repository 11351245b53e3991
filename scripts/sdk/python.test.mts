import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../platform/options.mts';
import { pythonFolder } from './python.mts';

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-python-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Python with the package of this repository, without writing compiled files next to it. */
const python = (args: readonly string[], folder: string) =>
  spawnSync('python3', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' },
  });

const version = /^Python 3\.(\d+)/.exec(spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
const noPython = Number(version ?? 0) >= 11 ? false : 'python3 from 3.11 is not installed';
// mypy is run by its own command, because the package of a distribution belongs to the distribution's Python, which need not be the first python3 in PATH.
const noMypy = spawnSync('mypy', ['--version']).status === 0 ? false : 'mypy is not installed';

await test(
  'Python compiles the types, every name in them resolves, and each schema of the API has one',
  { skip: noPython },
  () =>
    inFolder((folder) => {
      const { components } = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as {
        components: { schemas: Record<string, { required?: string[]; properties?: object }> };
      };
      writeFileSync(
        path.join(folder, 'check.py'),
        `import json, py_compile, sys, typing
import parley_types

py_compile.compile(parley_types.__file__, cfile=sys.argv[1], doraise=True)
dicts = [one for one in vars(parley_types).values() if typing.is_typeddict(one)]
for one in dicts:
    typing.get_type_hints(one)
print(json.dumps({one.__name__: [sorted(one.__required_keys__), sorted(one.__annotations__)] for one in dicts}))
`,
      );
      const { status, stdout, stderr } = python(['check.py', path.join(folder, 'compiled.pyc')], folder);
      assert.equal(status, 0, stderr);
      const found = JSON.parse(stdout) as Record<string, [string[], string[]]>;
      // Schemas that the document defines without references to others.
      const plain = Object.entries(components.schemas).filter(([name, one]) => /^[A-Z]/.test(name) && one.properties);
      assert.ok(plain.length > 100);
      for (const [name, { required = [], properties = {} }] of plain)
        assert.deepEqual(found[name], [[...required].sort(), Object.keys(properties).sort()], name);
    }),
);

await test('mypy finds what does not fit the types, and nothing else', { skip: noMypy }, () =>
  inFolder((folder) => {
    const good = `from parley_types import CallCreate, Event

call: CallCreate = {"agent_id": "agt_1", "to": "+15005550006", "from": "+15005550100", "variables": {"name": "Ann"}}

def said(event: Event) -> str:
    return event["type"]
`;
    writeFileSync(path.join(folder, 'good.py'), good);
    writeFileSync(path.join(folder, 'bad.py'), good.replace('"to": ', '"too": '));
    const check = (file: string) =>
      spawnSync('mypy', ['--strict', '--cache-dir', folder, file], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, MYPYPATH: pythonFolder },
      });
    const { status, stdout } = check('good.py');
    assert.equal(status, 0, stdout);
    assert.equal(check('bad.py').status, 1);
  }),
);
