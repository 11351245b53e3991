/** A time as the API shows it: ISO 8601 UTC with milliseconds; empty for null. */
export const timeText = (time: Date | null): string => time?.toISOString() ?? '';

/** Returns the row of a statement that always returns exactly one. */
export function onlyRow<R>(result: { readonly rows: readonly R[] }): R {
  const [row] = result.rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** The position and size of a page in a list from newest to oldest. */
export interface PageBefore {
  /** 1 to 100; the statement reads one row more, which shows whether another page follows. */
  readonly limit: number;
  /** Records before this position; `infinity` for the first page. */
  readonly createdBefore: string;
  readonly idBefore: string;
}

/** An empty text in a record becomes null in a view. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
