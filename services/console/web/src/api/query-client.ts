import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request';

const isOver = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Unavailability is retried; refusals are not. */
const isWorthAnother = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session was revoked or has ended: the shell reads it again, and shows the sign-in.
    onError: (error, { queryKey }) => {
      if (isOver(error) && queryKey[0] !== 'session') queries.setQueryData(['session'], null);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => isWorthAnother(error) && count < 8,
      retryDelay: (count) => Math.min(400 * 2 ** count, 5_000),
    },
  },
});
