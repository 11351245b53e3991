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

// Looks up `console.warn` at each call, because a program may replace it later.
const toConsole: OnWarning = ({ message }) => console.warn(`parley: ${message}`);

type Inspect = (response: Response, route: string) => Promise<void>;

/**
 * Returns a function that inspects responses and warns if one has the `Deprecation` header (RFC 9745): once for each deprecated field of a route, or once for
 * the route if none of its fields is known to be deprecated.
 */
export function deprecationWarnings(onWarning: OnWarning = toConsole): Inspect {
  const warned = new Set<string>();
  return async (response, route) => {
    const header = response.headers.get('deprecation');
    if (header === null) return;
    const text = await response.clone().text();
    const found = deprecatedFields.filter((name) => text.includes(`"${name}":`));
    const fields = found.filter((name) => !warned.has(`${route} ${name}`));
    if (found.length > 0 ? fields.length === 0 : warned.has(route)) return;
    for (const name of fields) warned.add(`${route} ${name}`);
    warned.add(route);
    const since = timeOf(header);
    const what = fields.length > 0 ? fields.join(', ') : 'something';
    const when = since === undefined ? '' : ` since ${since.slice(0, 10)}`;
    onWarning({
      code: 'deprecated',
      route,
      fields,
      ...(since === undefined ? {} : { since }),
      message: `${route}: the answer carries ${what}, deprecated${when}`,
    });
  };
}

/** Parses the header value, `@` and Unix seconds, to ISO 8601; undefined if it has another form. */
function timeOf(header: string): string | undefined {
  const [, seconds] = /^@(\d{1,11})$/.exec(header.trim()) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}
