import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Certificates {
  /** The certificate of the authority in PEM, which clients trust. */
  readonly ca: string;
  /** File names of the server's key and certificate. */
  readonly key: string;
  readonly certificate: string;
}

/** Creates a certificate authority for one day and a certificate of it for 127.0.0.1, with openssl in `folder`. */
export function makeCertificates(folder: string): Certificates {
  const file = (name: string) => path.join(folder, name);
  const request = (name: string, ...more: string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file(`${name}.key`)];
    const args = [
      'req',
      '-x509',
      ...key,
      '-days',
      '1',
      '-subj',
      `/CN=bench ${name}`,
      '-out',
      file(`${name}.pem`),
      ...more,
    ];
    execFileSync('openssl', args, { stdio: 'pipe' });
  };
  request('authority');
  const signer = ['-CA', file('authority.pem'), '-CAkey', file('authority.key')];
  request(
    'server',
    ...signer,
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  );
  return { ca: readFileSync(file('authority.pem'), 'utf8'), key: file('server.key'), certificate: file('server.pem') };
}
