import { deprecatedFields } from './generated/deprecated.gen.js';

/** A warning about something that still works but will be removed in the future. */
export interface ParleyWarning {
  readonly code: 'deprecated';
  /** Method and path template, such as `GET /v1/agents/{agent_id}/voice-stack`. */
  readonly route: string;
  /** Deprecated fields in the response that have not been warned about yet; empty if this version of the SDK knows none of them. */
  readonly fields: readonly string[];
  /** When the deprecation began, in ISO 8601; absent if the header contains no date. */
  readonly since?: string;
  readonly message: string;
}

export type OnWarning = (warning: ParleyWarning) => void;

/**
 * Returns a function that returns the responses it receives, and warns if one has the `Deprecation` header (RFC 9745): once for each deprecated field of a
 * route, or once for the route if none of its fields is known to be deprecated.
 */
export function deprecationWarnings(onWarning: OnWarning = ({ message }) => console.warn(`parley: ${message}`)) {
  const warned = new Set<string>();
  return async (response: Response, route: string): Promise<Response> => {
    const header = response.headers.get('deprecation');
    if (header === null) return response;
    const text = await response.clone().text();
    const found = deprecatedFields.filter((name) => text.includes(`"${name}":`));
    const fields = found.filter((name) => !warned.has(`${route} ${name}`));
    if (found.length > 0 ? fields.length === 0 : warned.has(route)) return response;
    for (const name of fields) warned.add(`${route} ${name}`);
    warned.add(route);
    // `@` and Unix seconds
    const [, seconds] = /^@(\d{1,11})$/.exec(header.trim()) ?? [];
    const since = seconds && new Date(Number(seconds) * 1000).toISOString();
    const when = since ? ` since ${since.slice(0, 10)}` : '';
    const message = `${route}: the answer carries ${fields.join(', ') || 'something'}, deprecated${when}`;
    onWarning({ code: 'deprecated', route, fields, ...(since ? { since } : {}), message });
    return response;
  };
}
