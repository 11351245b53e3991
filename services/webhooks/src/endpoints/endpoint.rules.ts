import type { EventType } from '@parley/contract';

/** An agent endpoint (docs/reference/endpoints-and-events.md) as it is stored. */
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
  /** Those of calls:read and campaigns:read that the key held which wrote it last: they decide whether payloads are whole. */
  readonly payloadScopes: readonly string[];
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

/** Of an address, what the audit log may show: paths and queries of some receivers hold a secret. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? '';

export interface EndpointChange {
  readonly name?: string;
  readonly webhookUrl?: string;
  readonly audioStreamUrl?: string;
  readonly events?: readonly EventType[];
  readonly maxPerSecond?: number | null;
  readonly payloadScopes?: readonly string[];
}

export interface ChangedEndpoint {
  readonly endpoint: Endpoint;
  readonly changed: boolean;
  readonly destinationChanged: boolean;
  /** The fields of the resource that changed, by the names of its record. */
  readonly fields: readonly string[];
  /** Types that it was subscribed to and is no longer. */
  readonly unsubscribed: readonly EventType[];
}

/** Applies a change. A new destination is a new beginning: a parked endpoint becomes active again. */
export function applyChange(stored: Endpoint, change: EndpointChange): ChangedEndpoint {
  const { name = stored.name, webhookUrl = stored.webhookUrl, audioStreamUrl = stored.audioStreamUrl } = change;
  const events = change.events ?? stored.events;
  const { maxPerSecond = stored.maxPerSecond, payloadScopes = stored.payloadScopes } = change;
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
      payloadScopes,
      status: destinationChanged ? 'active' : stored.status,
      destVersion: stored.destVersion + (destinationChanged ? 1 : 0),
    },
    changed:
      destinationChanged ||
      subscribed ||
      unsubscribed.length > 0 ||
      name !== stored.name ||
      maxPerSecond !== stored.maxPerSecond ||
      payloadScopes.join() !== stored.payloadScopes.join(),
    destinationChanged,
    fields: [
      ...(name === stored.name ? [] : ['name']),
      ...(webhookUrl === stored.webhookUrl ? [] : ['webhook_url']),
      ...(audioStreamUrl === stored.audioStreamUrl ? [] : ['audio_stream_url']),
      ...(subscribed || unsubscribed.length > 0 ? ['events'] : []),
      ...(maxPerSecond === stored.maxPerSecond ? [] : ['max_deliveries_per_second']),
      ...(payloadScopes.join() === stored.payloadScopes.join() ? [] : ['payload_scopes']),
    ],
    unsubscribed,
  };
}
