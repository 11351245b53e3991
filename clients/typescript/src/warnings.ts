import { deprecatedFields } from './generated/deprecated.gen.js';

/** Something that works today and will not for ever. */
export interface ParleyWarning {
  readonly code: 'deprecated';
  /** `GET /v1/agents/{agent_id}/voice-stack` */
  readonly route: string;
  /** Deprecated fields of the answer; empty where this version of the SDK does not know them. */
  readonly fields: readonly string[];
  /** ISO 8601; absent where the platform does not say. */
  readonly since?: string;
  readonly message: string;
}

export type OnWarning = (warning: ParleyWarning) => void;

// Not `console.warn` itself, which a program may replace later.
const toConsole: OnWarning = ({ message }) => console.warn(`parley: ${message}`);

type Inspect = (response: Response, route: string) => Promise<void>;

/** Warns of each route once, and of each field of it once, where an answer carries the `Deprecation` header (RFC 9745). */
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

/** Seconds since 1970 behind an `@`. */
function timeOf(header: string): string | undefined {
  const [, seconds] = /^@(\d{1,11})$/.exec(header.trim()) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}
