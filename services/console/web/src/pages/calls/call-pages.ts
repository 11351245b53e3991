import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { callsQuery, droppedCallsQuery } from '../../api/reads';
import { Listing, withoutFar, withPage } from '../../parts/listing.mts';
import { queryOf, type CallSearch } from './call-filters';

/** A page is read when its rows begin so near the rows that are shown. */
const ahead = 40;

/** When more pages than this are kept, those further than `distance` from the rows that are shown are dropped. */
const mostKept = 40;
const distance = 10;

/**
 * The list of calls. However far it was scrolled, only pages near the rows that are shown keep their records: the memory that a collection of garbage has to
 * trace does not grow. A dropped page is read again by its cursor when its rows are shown.
 */
export function useCallPages(search: CallSearch) {
  const client = useQueryClient();
  const isReading = useRef(false);
  // A relative period begins when it is chosen: with each minute it would be another list, which begins at its top.
  const filters = useMemo(() => queryOf(search), [search]);
  const query = useMemo(() => callsQuery(filters), [filters]);
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(query);
  const calls = useMemo(() => data && new Listing(data.pages), [data]);

  /** Called with the rows that are shown. */
  const show = useCallback(
    (first: number, end: number): void => {
      if (calls === undefined) return;
      // A page that is being read will be added to the pages as they were, so this comes before the next page is requested.
      if (calls.kept > mostKept && !isFetchingNextPage)
        client.setQueryData(
          query.queryKey,
          (now) => now && { ...now, pages: withoutFar(now.pages, calls.pageOf(first), distance) },
        );
      if (hasNextPage && !isFetchingNextPage && end + ahead >= calls.length) void fetchNextPage();
      const n = calls.droppedPage(Math.max(0, first - ahead), end + ahead);
      // One at a time: pages that were scrolled past meanwhile are not read.
      if (n === undefined || isReading.current) return;
      isReading.current = true;
      const cursor = data?.pageParams[n] as string | undefined;
      client
        .fetchQuery(droppedCallsQuery(filters, cursor))
        .then((page) =>
          client.setQueryData(query.queryKey, (now) => {
            const isWanted = now?.pages[n]?.dropped !== undefined && now.pageParams[n] === cursor;
            return isWanted ? withPage(now, n, page) : now;
          }),
        )
        .catch(() => undefined)
        .finally(() => {
          isReading.current = false;
        });
    },
    [client, query, filters, data, calls, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return { calls, isPending, error, refetch, hasMore: hasNextPage, show };
}
