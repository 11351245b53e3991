import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

// The library's types expect the crypto API of a browser.
x509.cryptoProvider.set(webcrypto as never);

const day = 86_400_000;
const DAYS = 365;

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const algorithms = { ecdsa, rsa, ed25519: { name: 'Ed25519' } };

export interface Authority {
  /** In PEM format. */
  readonly certificate: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

export interface Certificate {
  /** In PEM format. */
  readonly certificate: string;
  /** In PEM format, PKCS #8. */
  readonly key: string;
}

export interface CertificateOptions {
  /** The service in the certificate's URI. Default: no URI. */
  readonly service?: string;
  /** The DNS names. Default: that of the service. */
  readonly hosts?: readonly string[];
  /** Default: one hour ago. */
  readonly notBefore?: Date;
  /** Default: one year from now. */
  readonly notAfter?: Date;
  /** Default: ecdsa with P-256. */
  readonly algorithm?: keyof typeof algorithms;
}

export async function createAuthority(name = 'Parley development authority'): Promise<Authority> {
  const keys = await generateKeys('ecdsa');
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys: keys as never,
    signingAlgorithm: ecdsa,
    ...validity({}),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), keys };
}

export async function issueCertificate(authority: Authority, options: CertificateOptions): Promise<Certificate> {
  const { service, algorithm = 'ecdsa' } = options;
  const keys = await generateKeys(algorithm);
  const hosts = options.hosts ?? (service === undefined ? [] : [`${service}.parley.internal`]);
  const names: x509.JsonGeneralName[] = hosts.map((value) => ({ type: 'dns', value }));
  if (service !== undefined) names.push({ type: 'url', value: `spiffe://parley/${service}` });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${service ?? 'no service'}`,
    issuer: new x509.X509Certificate(authority.certificate).subject,
    publicKey: keys.publicKey as never,
    signingKey: authority.keys.privateKey as never,
    signingAlgorithm: ecdsa,
    ...validity(options),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
      new x509.SubjectAlternativeNameExtension(names),
      // Distinguishes two authorities with the same name.
      await x509.AuthorityKeyIdentifierExtension.create(authority.keys.publicKey as never),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

const generateKeys = async (algorithm: keyof typeof algorithms): Promise<webcrypto.CryptoKeyPair> =>
  (await webcrypto.subtle.generateKey(algorithms[algorithm], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;

const validity = ({ notBefore, notAfter }: CertificateOptions): { notBefore: Date; notAfter: Date } => ({
  notBefore: notBefore ?? new Date(Date.now() - 3_600_000),
  notAfter: notAfter ?? new Date(Date.now() + DAYS * day),
});
