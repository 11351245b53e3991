/** JSON files of a home: written next to and renamed, so that a reader sees the old one or the new one and nothing between. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Readable by the owner alone: all of these files hold keys or addresses with passwords. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Readable by the owner alone, also where an earlier start left it readable for others. */
export function writeSecretFile(file: string, text: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
  writeFileSync(file, text, { mode: 0o600 });
}

/** The folder of the logs, which name customers and what they did: for the owner alone, those of earlier starts included. */
export function openLogs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o600);
}
