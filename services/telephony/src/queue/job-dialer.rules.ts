import { isAccountCarrier, type Dialer } from '@parley/contract';

/** Whose workers claim a job; none claims one that the platform places itself. */
export type JobDialer = Dialer | 'platform';

/** Who dials for a number. Through an account that its organization brought the platform does, unless the organization's own workers do. */
export const jobDialerOf = ({ provider, dialer }: { readonly provider: string; readonly dialer: Dialer }): JobDialer =>
  dialer === 'hosted' && isAccountCarrier(provider) ? 'platform' : dialer;
