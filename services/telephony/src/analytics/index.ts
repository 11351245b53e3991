/** Rollups of calls: sums by hour that are written in the transaction which ends a call. */
export { countEnd, countLatencies } from './count-call';
export { readCallAnalytics } from './read-analytics';
export { readUsage } from './read-usage';
