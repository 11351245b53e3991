import { isLineCarrier, type Dialer } from '@parley/contract';

/** Whose workers claim a job; no worker claims one that the platform places itself. */
export type JobDialer = Dialer | 'platform';

/** Who dials for a number. Numbers of an organization's carrier account or trunk are dialled by the platform, unless the organization's own workers dial. */
export const jobDialerOf = ({ provider, dialer }: { readonly provider: string; readonly dialer: Dialer }): JobDialer =>
  dialer === 'hosted' && isLineCarrier(provider) ? 'platform' : dialer;
