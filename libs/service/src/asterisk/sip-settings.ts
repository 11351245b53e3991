import type { AriOptions } from './ari-client';

/** The settings of a service that uses an Asterisk, as its configuration has them. */
export interface SipSettings {
  readonly sipAriUrl?: string | undefined;
  readonly sipAriUser: string;
  readonly sipAriPassword: string;
  readonly sipAriTimeoutMs: number;
}

/** Of a SIP_ARI_URL. */
export const ariUrlForm = /^https?:\/\/[^\s?#@]+$/;

/** Undefined where no Asterisk is configured. */
export const ariOptionsOf = (settings: SipSettings): AriOptions | undefined =>
  settings.sipAriUrl === undefined
    ? undefined
    : {
        url: settings.sipAriUrl,
        user: settings.sipAriUser,
        password: settings.sipAriPassword,
        timeoutMs: settings.sipAriTimeoutMs,
      };
