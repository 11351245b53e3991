/** Rollups of calls: hourly sums. Additions to them are written in the transaction that ends a call. */
export { countEnd, countLatencies } from './count-call';
export { readCallAnalytics } from './read-analytics';
export { readUsage } from './read-usage';
export { createRollupFolder } from './rollup-folder';
