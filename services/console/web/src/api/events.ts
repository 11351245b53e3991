import type { Event } from '@parley/sdk';
import { eventTypes } from '@parley/sdk/webhooks';
import { api } from './request';

type Listener = (event: Event) => void;
export type Connection = 'connecting' | 'open' | 'lost';

const listeners = new Set<Listener>();
const watchers = new Set<(state: Connection) => void>();
let source: EventSource | undefined;
let lastId = '';
let retry: ReturnType<typeof setTimeout> | undefined;
let retryMs = 500;
export let connection: Connection = 'connecting';

function become(state: Connection): void {
  connection = state;
  for (const watcher of watchers) watcher(state);
}

/** One stream per page, shared by all listeners; it resumes where it stopped, also after the platform was unavailable. */
function connect(): void {
  clearTimeout(retry);
  const after = lastId === '' ? '' : `?after=${encodeURIComponent(lastId)}`;
  source = new EventSource(`${api}/v1/events${after}`);
  source.addEventListener('open', () => {
    retryMs = 500;
    become('open');
  });
  source.addEventListener('error', () => {
    source?.close();
    become('lost');
    retry = setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, 10_000);
  });
  const take = ({ data, lastEventId }: MessageEvent<string>): void => {
    if (lastEventId !== '') lastId = lastEventId;
    const event = JSON.parse(data) as Event;
    for (const listener of listeners) listener(event);
  };
  source.addEventListener('message', take);
  // Server-sent events are named by their type.
  for (const type of eventTypes) source.addEventListener(type, take);
}

/** @returns a function that stops listening; the stream closes with its last listener */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (source === undefined) connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(retry);
    source?.close();
    source = undefined;
    become('connecting');
  };
}

export function watchConnection(watcher: (state: Connection) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
