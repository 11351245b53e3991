/** A time as the platform shows it: ISO 8601 UTC with milliseconds; empty for null. */
export const timeText = (time: Date | null): string => time?.toISOString() ?? '';

/** The one row of a statement that always answers one. */
export function onlyRow<R>(result: { readonly rows: readonly R[] }): R {
  const [row] = result.rows;
  if (row === undefined) throw new Error('the statement answered no row');
  return row;
}
