/** A time as the platform shows it: ISO 8601 UTC with milliseconds; empty for null. */
export const timeText = (time: Date | null): string => time?.toISOString() ?? '';

/** The one row of a statement that always returns one. */
export function onlyRow<R>(result: { readonly rows: readonly R[] }): R {
  const [row] = result.rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** Which rows a list from the newest to the oldest reads. */
export interface PageBefore {
  /** 1 to 100; one row more is read, which shows whether another page follows. */
  readonly limit: number;
  /** Records before this place; `infinity` for the first page. */
  readonly createdBefore: string;
  readonly idBefore: string;
}
