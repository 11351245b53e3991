import type { ReactNode } from 'react';
import { Failure } from './failure';
import { Waiting } from './waiting';

interface Props<T> {
  readonly query: {
    readonly data: { readonly data: readonly T[] } | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Lines of the placeholder. */
  readonly rows: number;
  readonly empty: ReactNode;
  readonly children: (records: readonly T[]) => ReactNode;
}

/** A list in each of its states: it loads, it failed, it has nothing, it is there. */
export function Listed<T>({ query: { data, error, refetch }, rows, empty, children }: Props<T>) {
  if (data === undefined) return error === null ? <Waiting rows={rows} /> : <Failure error={error} retry={refetch} />;
  return data.data.length === 0 ? empty : children(data.data);
}
