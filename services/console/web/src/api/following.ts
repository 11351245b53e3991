import type { CallRecord, CallRecordPage, Event } from '@parley/sdk';
import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCan } from '../session/session';
import { listen, watchConnection } from './events';
import { read } from './request';

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
    };
  }, [client, can]);
}

const pending = new Map<string, ReturnType<typeof setTimeout>>();

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

type Pages = InfiniteData<CallRecordPage>;

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
  // A new call may match the filters of lists, which only the platform can evaluate.
  if (!isKnown) void client.invalidateQueries({ queryKey: ['calls'] });
}
