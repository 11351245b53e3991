import { useSyncExternalStore } from 'react';

const query = matchMedia('(max-width: 48em)');
// Kept, because the browser computes styles before it returns the query's state.
let isNarrow = query.matches;
query.addEventListener('change', ({ matches }) => {
  isNarrow = matches;
});

const subscribe = (listener: () => void): (() => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Whether the page has the layout of a telephone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => isNarrow);
