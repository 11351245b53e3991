import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DevelopmentFile } from './platform';

/** Runs the first call of the README in a shell, in a folder whose `.parley/dev.json` contains these keys. @returns the printed objects, one per line */
export async function firstCallOfReadme(folder: string, keys: DevelopmentFile): Promise<Record<string, unknown>[]> {
  const readme = readFileSync(path.resolve(__dirname, '../README.md'), 'utf8');
  const script = /^## A first call$[^]*?^```sh$([^]*?)^```$/m.exec(readme)?.[1];
  if (script === undefined) throw new Error('the README has no first call');
  mkdirSync(path.join(folder, '.parley'), { recursive: true });
  writeFileSync(path.join(folder, '.parley/dev.json'), JSON.stringify(keys));
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const shell = spawn('sh', ['-e', '-u', '-c', script], { cwd: folder, env: { ...process.env, PATH } });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => shell.once('close', resolve));
  if (code !== 0) throw new Error(`the README's first call ended with ${String(code)}:\n${output}`);
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
