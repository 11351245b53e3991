import type { EventType } from '@parley/contract';

/** An agent endpoint (docs/reference/endpoints-and-events.md) as stored. */
export interface Endpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly webhookUrl: string;
  readonly audioStreamUrl: string;
  readonly events: readonly EventType[];
  readonly status: 'active' | 'parked';
  /** Maximum of attempts started per second; null: no limit. */
  readonly maxPerSecond: number | null;
  /** calls:read and campaigns:read, if the key that last wrote it had them: they determine whether payloads are complete. */
  readonly payloadScopes: readonly string[];
  /** The number of changes of either URL, from 1. */
  readonly destVersion: number;
  /** The current series of deliveries, from 0. */
  readonly generation: number;
  /** The number of changes, from 1. */
  readonly revision: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The strong entity tag, quotes included. */
export const etagOf = (endpoint: Pick<Endpoint, 'revision'>): string => `"${endpoint.revision}"`;

/** The part of a URL that the audit log may contain: paths and queries of some receivers contain a secret. */
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
  /** The changed fields of the resource, by their names in its record. */
  readonly fields: readonly string[];
  /** Event types that were unsubscribed. */
  readonly unsubscribed: readonly EventType[];
}

/** Applies a change. A new destination resets the endpoint: a parked one becomes active again. */
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
