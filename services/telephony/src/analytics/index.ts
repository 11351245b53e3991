/** Rollups of calls: hourly sums, written in the transaction that ends a call. */
export { countEnd, countLatencies } from './count-call';
export { readCallAnalytics } from './read-analytics';
export { readUsage } from './read-usage';
