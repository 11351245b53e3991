/** The secrets of one home: created on the first start, and kept as long as its data. */
import { randomBytes } from 'node:crypto';
import { readJson, writeJson } from './files.mts';

export interface Secrets {
  /** Password of the private PostgreSQL's administrator. */
  administrator_password: string;
  /** Passwords of the services' database roles, by service. */
  role_passwords: Record<string, string>;
  /** TOKEN_PEPPERS of auth. */
  token_peppers: string;
  /** VAULT_KEYS of auth, agents, telephony and webhooks. */
  vault_keys: string;
  /** CONSOLE_KEYS of the console. */
  console_keys: string;
  /** The credential of the hosted worker, created by auth. */
  hosted_key?: string;
  /** The credential of the hosted simulation runner. */
  simulation_key?: string;
}

/** Reads the secrets, adds those that are missing, and writes the file. */
export function loadSecrets(file: string, services: readonly string[]): Secrets {
  const stored: Partial<Secrets> = readJson<Partial<Secrets>>(file) ?? {};
  const password = (): string => randomBytes(18).toString('base64url');
  const key = (): string => randomBytes(32).toString('base64');
  const secrets: Secrets = {
    administrator_password: stored.administrator_password ?? password(),
    role_passwords: Object.fromEntries(services.map((name) => [name, stored.role_passwords?.[name] ?? password()])),
    token_peppers: stored.token_peppers ?? `1:${key()}`,
    vault_keys: stored.vault_keys ?? `k1:${key()}`,
    console_keys: stored.console_keys ?? `k1:${key()}`,
    ...(stored.hosted_key && { hosted_key: stored.hosted_key }),
    ...(stored.simulation_key && { simulation_key: stored.simulation_key }),
  };
  writeJson(file, secrets);
  return secrets;
}
