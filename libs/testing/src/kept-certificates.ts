import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Certificates that expire within this time are created again. */
const RENEW_MS = 60 * 86_400_000;

/** The paths of a service's files; the authority is in `ca.crt`. */
export const filesOf = (folder: string, service: string) => ({
  certificate: path.join(folder, `${service}.crt`),
  key: path.join(folder, `${service}.key`),
  authorities: path.join(folder, 'ca.crt'),
});

/**
 * Ensures that a folder contains a certificate for each service that is valid for the next weeks; otherwise creates all of them again. The key of the authority
 * is not stored. Several processes may call this at the same time.
 * @param hosts further DNS names in all certificates
 */
export async function keepCertificates(
  folder: string,
  services: readonly string[],
  hosts: readonly string[] = [],
): Promise<void> {
  if (services.every((service) => isGood(folder, service))) return;
  // Imported only here, because loading it takes long and it is rarely needed.
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

/** Replaces the folder, unless another process has replaced it in the meantime. */
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

/** Whether a folder contains the files of a service and they are valid for long enough. */
export function isGood(folder: string, service: string): boolean {
  const files = filesOf(folder, service);
  if (!existsSync(files.certificate) || !existsSync(files.key) || !existsSync(files.authorities)) return false;
  const { validToDate } = new X509Certificate(readFileSync(files.certificate));
  return validToDate.getTime() - Date.now() > RENEW_MS;
}
