import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What is over within this time is made again at the next start. */
const RENEW_MS = 60 * 86_400_000;

/** Where the files of a service lie: the authority is in `ca.crt`. */
export const filesOf = (folder: string, service: string) => ({
  certificate: path.join(folder, `${service}.crt`),
  key: path.join(folder, `${service}.key`),
  authorities: path.join(folder, 'ca.crt'),
});

/**
 * Sees to it that a folder holds a certificate of each service for the next weeks, and makes all of them again where it does not. The key of the
 * authority is not kept. Several processes may ask at once.
 * @param hosts further DNS names in every certificate
 */
export async function keepCertificates(
  folder: string,
  services: readonly string[],
  hosts: readonly string[] = [],
): Promise<void> {
  if (services.every((service) => isGood(folder, service))) return;
  // Takes longer to load than to use, and is seldom needed.
  const { createAuthority, issueCertificate } = await import('./certificates.js');
  const authority = await createAuthority();
  mkdirSync(path.dirname(folder), { recursive: true });
  const made = mkdtempSync(`${folder}.`);
  writeFileSync(path.join(made, 'ca.crt'), authority.certificate);
  for (const service of services) {
    const own = `${service}.parley.internal`;
    const { certificate, key } = await issueCertificate(authority, { service, hosts: [own, ...hosts] });
    const files = filesOf(made, service);
    writeFileSync(files.certificate, certificate);
    writeFileSync(files.key, key, { mode: 0o600 });
  }
  replace(folder, made, services);
}

/** The first of several processes wins: a folder that is good by now stays. */
function replace(folder: string, made: string, services: readonly string[]): void {
  try {
    if (existsSync(folder) && !services.every((service) => isGood(folder, service))) {
      rmSync(folder, { recursive: true, force: true });
    }
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!services.every((service) => isGood(folder, service))) throw error;
  }
}

/** Whether a folder holds the files of a service, and for long enough. */
export function isGood(folder: string, service: string): boolean {
  const files = filesOf(folder, service);
  if (!existsSync(files.certificate) || !existsSync(files.key) || !existsSync(files.authorities)) return false;
  const { validToDate } = new X509Certificate(readFileSync(files.certificate));
  return validToDate.getTime() - Date.now() > RENEW_MS;
}
