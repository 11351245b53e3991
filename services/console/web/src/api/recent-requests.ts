import { useSyncExternalStore } from 'react';

/** The page's requests to the platform, for users who want to make the same ones from a program. */
export interface RecentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The If-Match of a save. */
  readonly match?: string | undefined;
}

const most = 12;
let recent: readonly RecentRequest[] = [];
const listeners = new Set<() => void>();

const secretFields = new Set(['secret', 'password']);

/** What is kept of a body: a secret leaves the page with the request alone. */
const withoutSecrets = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, secretFields.has(name) ? '…' : value]))
    : body;

export function recordRequest({ body, ...rest }: RecentRequest): void {
  const request = { ...rest, body: withoutSecrets(body) };
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
