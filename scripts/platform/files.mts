/** JSON files of a home. They are written to a temporary file that is then renamed, so that a reader sees either the old or the new content. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Readable only by the owner, because all of these files contain keys, or addresses with passwords. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Readable only by the owner, even if an earlier start created the file with other permissions. */
export function writeSecretFile(file: string, text: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
  writeFileSync(file, text, { mode: 0o600 });
}

/** Creates the folder for logs, which contain the names and actions of customers. Only the owner can read it, including logs of earlier starts. */
export function openLogs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o600);
}
