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
  /** Maximum of attempts started per second; null: unlimited. */
  readonly maxPerSecond: number | null;
  /**
   * Those of the scopes calls:read and campaigns:read that the key had which last wrote the endpoint. They determine whether the receiver gets the full
   * payloads.
   */
  readonly payloadScopes: readonly string[];
  /** How often one of the URLs was set, from 1. */
  readonly destVersion: number;
  /** The current series of deliveries, from 0; incremented when deliveries are sent again. */
  readonly generation: number;
  /** How often the endpoint was written, from 1. */
  readonly revision: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The strong entity tag, including quotes. */
export const etagOf = (endpoint: Pick<Endpoint, 'revision'>): string => `"${endpoint.revision}"`;

/** The part of a URL that the audit log may contain. With some receivers, path and query contain a secret. */
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
  /** The changed fields, by their names in the public record. */
  readonly fields: readonly string[];
  /** Event types that were unsubscribed. */
  readonly unsubscribed: readonly EventType[];
}

/** Applies a change. A new destination resets the endpoint: if it was parked, it becomes active again. */
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
