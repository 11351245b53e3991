import { createPrivateKey, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { experimental, type ChannelCredentials, type ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../log';
import { certificatesOf, serviceOfNames } from './certificates';

/** The paths of PEM files. */
export interface IdentityFiles {
  /** The service's certificate, followed by its intermediates. */
  readonly certificate: string;
  readonly key: string;
  /** The trusted authorities; two during a rotation. */
  readonly authorities: string;
}

/** The contents of these files. */
interface Contents {
  readonly certificate: Buffer;
  readonly key: Buffer;
  readonly authorities: Buffer;
}

interface Loaded {
  readonly contents: Contents;
  readonly service: string;
  readonly chain: readonly X509Certificate[];
  readonly privateKey: KeyObject;
  readonly authorities: readonly X509Certificate[];
}

/**
 * How this process identifies itself to other services: its certificate and key, and the authorities that it trusts. Changed files are reloaded at runtime: new
 * connections use them, open connections are not affected. Files that do not match each other are ignored.
 */
export class ServiceIdentity {
  private readonly authorityListeners = new Set<experimental.CaCertificateUpdateListener>();
  private readonly certificateListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  private readonly reloaded: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reading = false;
  private lastError = '';

  private constructor(
    private readonly files: IdentityFiles,
    private loaded: Loaded,
  ) {}

  /** @throws Error naming the file that is missing or invalid */
  static read(files: IdentityFiles): ServiceIdentity {
    const contents = {
      certificate: readFileSync(files.certificate),
      key: readFileSync(files.key),
      authorities: readFileSync(files.authorities),
    };
    return new ServiceIdentity(files, loadedOf(files, contents));
  }

  get service(): string {
    return this.loaded.service;
  }

  /** The service's certificate and its intermediates. */
  get chain(): readonly X509Certificate[] {
    return this.loaded.chain;
  }

  get authorities(): readonly X509Certificate[] {
    return this.loaded.authorities;
  }

  /** Signs with the certificate's key, for all supported types of keys. */
  sign(data: Buffer): Buffer {
    const { privateKey } = this.loaded;
    return sign(digestFor(privateKey), data, privateKey);
  }

  /** Registers a listener that is called after each change of the files. */
  onReload(listener: () => void): void {
    this.reloaded.push(listener);
  }

  /** Reads the files periodically until the process ends or `stop` is called. */
  watch(everyMs: number, log: Logger): void {
    this.timer = setInterval(() => {
      this.reload().then(
        (changed) => {
          this.lastError = '';
          if (changed) log.info({ not_after: this.chain[0]?.validToDate }, 'certificates were reloaded');
        },
        (error: unknown) => {
          // Each error is logged only once, because an invalid file is read again and again.
          const text = String(error);
          if (text !== this.lastError)
            log.error({ err: error }, 'certificates cannot be reloaded; the previous ones remain in use');
          this.lastError = text;
        },
      );
    }, everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reads the files again; resolves with whether anything has changed. */
  async reload(): Promise<boolean> {
    if (this.reading) return false;
    this.reading = true;
    try {
      const { files } = this;
      const [certificate, key, authorities] = await Promise.all([
        readFile(files.certificate),
        readFile(files.key),
        readFile(files.authorities),
      ]);
      const old = this.loaded.contents;
      if (certificate.equals(old.certificate) && key.equals(old.key) && authorities.equals(old.authorities))
        return false;
      const loaded = loadedOf(files, { certificate, key, authorities });
      if (loaded.service !== this.service) {
        throw new Error(
          `${files.certificate} became the certificate of ${loaded.service}; it was that of ${this.service}`,
        );
      }
      this.loaded = loaded;
    } finally {
      this.reading = false;
    }
    for (const listener of this.authorityListeners) this.announceAuthorities(listener);
    for (const listener of this.certificateListeners) this.announceCertificate(listener);
    for (const listener of this.reloaded) listener();
    return true;
  }

  /** Credentials of a server that accepts only peers with a certificate of a trusted authority. */
  serverCredentials(): ServerCredentials {
    return experimental.createCertificateProviderServerCredentials(this.provider, this.provider, true);
  }

  /** The current files as options for TLS outside gRPC. */
  tlsOptions(): { readonly cert: Buffer; readonly key: Buffer; readonly ca: string } {
    const { certificate, key } = this.loaded.contents;
    return { cert: certificate, key, ca: this.trusted };
  }

  channelCredentials(): ChannelCredentials {
    return experimental.createCertificateProviderChannelCredentials(this.provider, this.provider);
  }

  /** All clients share this object, so that channels to the same server share a connection. */
  private readonly provider: experimental.CertificateProvider = {
    addCaCertificateListener: (listener: experimental.CaCertificateUpdateListener) => {
      this.authorityListeners.add(listener);
      // Called asynchronously, because the library expects no call before it has added the listener.
      process.nextTick(() => this.announceAuthorities(listener));
    },
    removeCaCertificateListener: (listener: experimental.CaCertificateUpdateListener) =>
      void this.authorityListeners.delete(listener),
    addIdentityCertificateListener: (listener: experimental.IdentityCertificateUpdateListener) => {
      this.certificateListeners.add(listener);
      process.nextTick(() => this.announceCertificate(listener));
    },
    removeIdentityCertificateListener: (listener: experimental.IdentityCertificateUpdateListener) =>
      void this.certificateListeners.delete(listener),
  };

  private announceAuthorities(listener: experimental.CaCertificateUpdateListener): void {
    listener({ caCertificate: Buffer.from(this.trusted) });
  }

  /** The certificates are serialized again, because concatenated files may lack the line break between two certificates. */
  private get trusted(): string {
    return this.authorities.map((one) => one.toString()).join('');
  }

  private announceCertificate(listener: experimental.IdentityCertificateUpdateListener): void {
    const { certificate, key } = this.loaded.contents;
    listener({ certificate, privateKey: key });
  }
}

/** The digest for signatures with a key; null for Ed25519 and Ed448, which include theirs. */
export const digestFor = ({ asymmetricKeyType }: KeyObject): string | null =>
  asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'ed448' ? null : 'sha256';

function loadedOf(files: IdentityFiles, contents: Contents): Loaded {
  const chain = certificatesOf(contents.certificate.toString('latin1'));
  const [own] = chain;
  if (own === undefined) throw new Error(`${files.certificate} contains no certificate`);
  const service = serviceOfNames(own.subjectAltName);
  if (service === undefined)
    throw new Error(`the certificate in ${files.certificate} has no URI spiffe://parley/<service>`);
  const privateKey = createPrivateKey(contents.key);
  if (!own.checkPrivateKey(privateKey)) throw new Error(`${files.key} is not the key of ${files.certificate}`);
  const authorities = certificatesOf(contents.authorities.toString('latin1'));
  if (authorities.length === 0) throw new Error(`${files.authorities} contains no certificate`);
  return { contents, service, chain, privateKey, authorities };
}
