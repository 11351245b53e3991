import type { CallRecord, Event } from '@parley/sdk';
import { useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCan } from '../session/session';
import { listen, watchConnection } from './events';
import { inShort, type ListedCall, type Page } from './reads';
import { read, type Query } from './request';

/** Updates cached data by call events: the call itself, its row, and related data. */
export function useFollowing(): void {
  const client = useQueryClient();
  const can = useCan()('agents:read');
  useEffect(() => {
    if (!can) return undefined;
    let wasLost = false;
    const unwatch = watchConnection((state) => {
      // Events may have been missed: all displayed data is read again.
      if (state === 'open' && wasLost) void client.invalidateQueries();
      if (state !== 'connecting') wasLost = state === 'lost';
    });
    const unlisten = listen((event) => take(client, event));
    return () => {
      unwatch();
      unlisten();
      dropReads();
    };
  }, [client, can]);
}

const pending = new Map<string, ReturnType<typeof setTimeout>>();

/** Cancels the pending reads of calls after their events. Called when the session ends, because the reads would be refused with 401. */
export function dropReads(): void {
  for (const timer of pending.values()) clearTimeout(timer);
  pending.clear();
}

/** Several events of a call arrive together; the call is read once. */
function take(client: QueryClient, { type, resource_id: id }: Event): void {
  if (!id.startsWith('call_')) {
    void client.invalidateQueries({ queryKey: [id.slice(0, id.indexOf('_'))] });
    return;
  }
  if (type === 'call.transcript.ready') void client.invalidateQueries({ queryKey: ['call', id, 'transcript'] });
  if (type === 'call.recording.ready') void client.invalidateQueries({ queryKey: ['call', id, 'recording'] });
  if (pending.has(id)) return;
  pending.set(
    id,
    setTimeout(() => {
      pending.delete(id);
      refresh(client, id).catch(() => undefined);
    }, 250),
  );
}

type Pages = InfiniteData<Page<ListedCall>>;

async function refresh(client: QueryClient, id: string): Promise<void> {
  const call = await read<CallRecord>(`/v1/calls/${id}`, { quiet: true });
  client.setQueryData(['call', id], call);
  void client.invalidateQueries({ queryKey: ['live'] });
  void client.invalidateQueries({ queryKey: ['call', id, 'events'] });
  let isKnown = false;
  client.setQueriesData<Pages>({ queryKey: ['calls'] }, (pages) => {
    if (pages === undefined) return pages;
    return {
      ...pages,
      pages: pages.pages.map((page) => {
        if (!page.data.some((one) => one.call_id === id)) return page;
        isKnown = true;
        return { ...page, data: page.data.map((one) => (one.call_id === id ? call : one)) };
      }),
    };
  });
  if (isKnown) return;
  void client.invalidateQueries({ queryKey: ['calls'], type: 'inactive' });
  const shown = client.getQueriesData<Pages>({ queryKey: ['calls'], type: 'active' });
  await Promise.all(shown.map((one) => addNewest(client, one)));
}

/** A new call may match the filters of a list, which only the platform can evaluate. Its first page is read again, however many of it were read. */
async function addNewest(client: QueryClient, [queryKey, pages]: [QueryKey, Pages | undefined]): Promise<void> {
  const [first] = pages?.pages ?? [];
  const filters = queryKey[1] as Query;
  if (first === undefined) return;
  const newest = await read<Page<ListedCall>>('/v1/calls', { query: { ...filters, ...inShort }, quiet: true });
  const ids = new Set(newest.data.map(({ call_id: id }) => id));
  const isComplete = newest.next_cursor === null || first.data.some(({ call_id: id }) => ids.has(id));
  // More calls than a page came at once.
  if (!isComplete) return client.invalidateQueries({ queryKey, exact: true });
  client.setQueryData<Pages>(queryKey, (now) => {
    const [head, ...rest] = now?.pages ?? [];
    if (now === undefined || head === undefined) return now;
    const data = [...newest.data, ...head.data.filter(({ call_id: id }) => !ids.has(id))];
    return { ...now, pages: [{ ...head, data }, ...rest] };
  });
}
