import type { EventType } from '@parley/contract';

/** An agent endpoint (2.9) as it is stored. */
export interface Endpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly webhookUrl: string;
  readonly audioStreamUrl: string;
  readonly events: readonly EventType[];
  readonly status: 'active' | 'parked';
  /** Attempts begun in a second at most; null: no limit. */
  readonly maxPerSecond: number | null;
  /** Counts the changes of either address, from 1. */
  readonly destVersion: number;
  /** The current series of deliveries, from 0. */
  readonly generation: number;
  /** Counts every change, from 1. */
  readonly revision: number;
  /** ISO 8601 UTC, milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The strong entity tag, quotes included. */
export const etagOf = (endpoint: Pick<Endpoint, 'revision'>): string => `"${endpoint.revision}"`;

export interface EndpointChange {
  readonly name?: string;
  readonly webhookUrl?: string;
  readonly audioStreamUrl?: string;
  readonly events?: readonly EventType[];
  readonly maxPerSecond?: number | null;
}

export interface ChangedEndpoint {
  readonly endpoint: Endpoint;
  readonly changed: boolean;
  readonly destinationChanged: boolean;
  /** Types that it was subscribed to and is no longer. */
  readonly unsubscribed: readonly EventType[];
}

/** Applies a change. A new destination is a new beginning: a parked endpoint becomes active again. */
export function applyChange(stored: Endpoint, change: EndpointChange): ChangedEndpoint {
  const { name = stored.name, webhookUrl = stored.webhookUrl, audioStreamUrl = stored.audioStreamUrl } = change;
  const events = change.events ?? stored.events;
  const { maxPerSecond = stored.maxPerSecond } = change;
  const destinationChanged = webhookUrl !== stored.webhookUrl || audioStreamUrl !== stored.audioStreamUrl;
  const unsubscribed = stored.events.filter((type) => !events.includes(type));
  const subscribed = events.some((type) => !stored.events.includes(type));
  return {
    endpoint: {
      ...stored,
      name,
      webhookUrl,
      audioStreamUrl,
      events,
      maxPerSecond,
      status: destinationChanged ? 'active' : stored.status,
      destVersion: stored.destVersion + (destinationChanged ? 1 : 0),
    },
    changed:
      destinationChanged ||
      subscribed ||
      unsubscribed.length > 0 ||
      name !== stored.name ||
      maxPerSecond !== stored.maxPerSecond,
    destinationChanged,
    unsubscribed,
  };
}
