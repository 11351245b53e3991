import { Gauge, type Registry } from 'prom-client';
import { variableOf } from '../config/load-config';
import type { BaseConfig } from '../config/base-config';
import { ServiceIdentity } from '../identity/service-identity';
import type { Logger } from '../log';

const settings = ['tlsCertFile', 'tlsKeyFile', 'tlsCaFile'] as const;

/** The settings that are missing for the identity, as errors of the configuration. */
export const missingIdentity = (config: BaseConfig): string[] =>
  settings.filter((name) => (config[name] ?? '') === '').map((name) => `${variableOf(name)}: is required`);

export interface OwnIdentity {
  /** Reads the files at the first use. @throws Error if the files do not contain this service's identity */
  get(): ServiceIdentity;
  /** Stops watching the files. */
  stop(): void;
}

/** The identity of this process, from the configured files, which are reloaded when they change. */
export function ownIdentity(service: string, config: BaseConfig, log: Logger, metrics: Registry): OwnIdentity {
  let identity: ServiceIdentity | undefined;
  const read = (): ServiceIdentity => {
    const missing = missingIdentity(config);
    if (missing.length > 0) throw new Error(missing.join('; '));
    const { tlsCertFile = '', tlsKeyFile = '', tlsCaFile = '' } = config;
    const made = ServiceIdentity.read({ certificate: tlsCertFile, key: tlsKeyFile, authorities: tlsCaFile });
    if (made.service !== service) throw new Error(`${tlsCertFile} is the certificate of ${made.service}`);
    made.watch(config.tlsReloadSeconds * 1000, log);
    new Gauge({
      name: 'parley_certificate_not_after_seconds',
      help: 'When the certificate of this process expires, in seconds since 1970',
      registers: [metrics],
      collect() {
        this.set((made.chain[0]?.validToDate.getTime() ?? 0) / 1000);
      },
    });
    return made;
  };
  return { get: () => (identity ??= read()), stop: () => identity?.stop() };
}
