import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { helm, render } from './chart/render.mts';

await test('the packed chart has the version that was asked for, and renders as the folder does', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-package-'));
  try {
    const script = path.join(import.meta.dirname, 'package.mts');
    execFileSync(process.execPath, [script, '--version', '9.8.7', '--out', folder], { stdio: 'pipe' });
    assert.deepEqual(readdirSync(folder).sort(), ['SHA256SUMS', 'licences.txt', 'parley-9.8.7.tgz', 'sbom.cdx.json']);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' });
    const archive = path.join(folder, 'parley-9.8.7.tgz');
    const { ok, output } = await helm(['template', 'here', archive, '--namespace', 'voice']);
    assert.ok(ok, output);
    assert.match(output, /image: parley:9\.8\.7$/m);
    const { text } = await render({});
    assert.equal(output.replaceAll('9.8.7', '0.1.0').replace(/^checksum.*$/gm, ''), text.replace(/^checksum.*$/gm, ''));
    const { components } = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8')) as {
      components: object[];
    };
    assert.ok(components.length > 100);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
