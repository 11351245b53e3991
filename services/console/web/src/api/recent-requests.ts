import { useSyncExternalStore } from 'react';

/** The page's requests to the platform, for users who want to make the same ones from a program. */
export interface RecentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const most = 12;
let recent: readonly RecentRequest[] = [];
const listeners = new Set<() => void>();

export function recordRequest(request: RecentRequest): void {
  const same = (other: RecentRequest): boolean => other.method === request.method && other.path === request.path;
  recent = [request, ...recent.filter((other) => request.method !== 'GET' || !same(other))].slice(0, most);
  for (const listener of listeners) listener();
}

export function useRecentRequests(): readonly RecentRequest[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => recent,
  );
}
