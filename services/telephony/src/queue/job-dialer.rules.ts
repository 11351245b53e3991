import { isLineCarrier, type Dialer } from '@parley/contract';

/** Whose workers claim a job; none claims one that the platform places itself. */
export type JobDialer = Dialer | 'platform';

/** Who dials for a number. Through an account or a trunk that its organization brought the platform does, unless the organization's own workers do. */
export const jobDialerOf = ({ provider, dialer }: { readonly provider: string; readonly dialer: Dialer }): JobDialer =>
  dialer === 'hosted' && isLineCarrier(provider) ? 'platform' : dialer;
