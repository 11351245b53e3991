import { isLineCarrier, type Dialer } from '@parley/contract';

/** Whose workers claim a job. `platform`: no worker does, because the platform itself places the call. */
export type JobDialer = Dialer | 'platform';

/** Who dials for a number. The platform dials for numbers of an organization's carrier account or trunk, unless the organization's own workers do. */
export const jobDialerOf = ({ provider, dialer }: { readonly provider: string; readonly dialer: Dialer }): JobDialer =>
  dialer === 'hosted' && isLineCarrier(provider) ? 'platform' : dialer;
