import type { Me } from '@parley/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use, type ReactNode } from 'react';
import { read } from '../api/request';
import { SignIn } from './sign-in';
import { Starting } from '../shell/starting';

/** Null: no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => read<Me | null>('/session', { signal }),
  staleTime: 5 * 60_000,
});

const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = use(MeContext);
  if (me === undefined) throw new Error('outside of a session');
  return me;
}

export type Can = (scope: string) => boolean;

export function useCan(): Can {
  const { scopes } = useMe();
  return (scope) => (scopes as readonly string[]).includes(scope);
}

/** Shows the sign-in until there is a session. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { data: me, error, refetch } = useQuery(sessionQuery);
  if (me === null) return <SignIn />;
  if (me === undefined) return <Starting error={error} retry={refetch} />;
  return <MeContext value={me}>{children}</MeContext>;
}
