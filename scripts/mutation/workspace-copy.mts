/** A copy of the checkout's sources in a temporary folder, in which mutants are tested. What git ignores (dependencies, what is built) is linked. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const listed = (...args: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter((name) => name !== '' && existsSync(path.join(root, name)));

export type Kind = 'unit' | 'integration';

export class WorkspaceCopy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'parley-mutation-'));
  readonly files = listed('--cached', '--others', '--exclude-standard');

  private readonly environment: NodeJS.ProcessEnv;

  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
    for (const name of this.files) {
      mkdirSync(path.dirname(this.at(name)), { recursive: true });
      cpSync(path.join(root, name), this.at(name));
    }
    for (const name of listed('--others', '--ignored', '--exclude-standard', '--directory')) {
      mkdirSync(path.dirname(this.at(name)), { recursive: true });
      symlinkSync(path.join(root, name), this.at(name).replace(/\/$/, ''));
    }
    // Jest looks at the files of one package only.

    this.write(
      'jest.mutation.cjs',
      `const { projects, ...all } = require('./jest.config.js');
      const project = projects.find(({ displayName }) => displayName === process.env.MUTATED_KIND);
      module.exports = { ...all, ...project, roots: [process.env.MUTATED_PACKAGE], projects: undefined };`,
    );
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  relative(file: string): string {
    return path.relative(this.folder, file);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  write(name: string, text: string): void {
    writeFileSync(this.at(name), text);
  }

  /** The tests of the file's own package that load it, by kind. */
  async testsOf(name: string, kind: Kind): Promise<string[]> {
    const { output } = await this.jest(name, kind, ['--listTests', '--findRelatedTests', this.at(name)], 120_000);
    return output.split('\n').filter((line) => line.startsWith(this.folder));
  }

  /** Whether tests of a file's package pass. Tests that hang have failed; the limit is that of a busy machine. */
  async passes(name: string, kind: Kind, tests: readonly string[]): Promise<boolean> {
    if (tests.length === 0) return true;
    const timeoutMs = 120_000 + 20_000 * tests.length;
    const { code } = await this.jest(name, kind, ['--bail', '--forceExit', '--runTestsByPath', ...tests], timeoutMs);
    return code === 0;
  }

  private packageOf(name: string): string {
    return this.at(name.split('/').slice(0, 2).join('/'));
  }

  private jest(
    name: string,
    kind: Kind,
    args: readonly string[],
    timeoutMs: number,
  ): Promise<{ code: number; output: string }> {
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const all = [jest, '--config', this.at('jest.mutation.cjs'), '--silent', '--maxWorkers=2', ...args];
    const env = { ...this.environment, MUTATED_KIND: kind, MUTATED_PACKAGE: this.packageOf(name) };
    const options = { cwd: this.folder, env, timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    const child = spawn(process.execPath, all, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
  }

  /** Whether the compiler accepts a file as it is now: what it refuses is no mutant, because it is never built. */
  compiles(name: string): boolean {
    const folder = this.packageOf(name);
    const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
    const program = ts.createProgram([this.at(name)], { ...options, noEmit: true, composite: false });
    return program.getSemanticDiagnostics(program.getSourceFile(this.at(name))).length === 0;
  }
}
