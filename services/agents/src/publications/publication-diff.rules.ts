import type { Publication, PublicationChange } from '@parley/contract';
import { same } from '../same.rules';

/** A publication as reads return it. */
export type ShownPublication = Omit<Publication, 'tools'>;

type Json = Readonly<Record<string, unknown>>;

/**
 * The differences between two publications, ordered by path; undefined means absent. Language profiles are matched by locale, so that an inserted language is a
 * single change.
 */
export function publicationDiff(before: ShownPublication | undefined, after: ShownPublication): PublicationChange[] {
  return compare('', before === undefined ? {} : keyed(before), keyed(after)).sort((one, other) =>
    one.path < other.path ? -1 : 1,
  );
}

function keyed({ profiles, ...rest }: ShownPublication): Json {
  return {
    ...rest,
    profiles: Object.fromEntries(profiles.map((profile) => [profile.locale, profile])),
  };
}

function compare(path: string, before: Json, after: Json): PublicationChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changeOf(`${path}/${escaped(name)}`, before[name], after[name]));
}

function changeOf(path: string, before: unknown, after: unknown): PublicationChange[] {
  if (same(before, after)) return [];
  if (before === undefined) return [{ change: 'added', path, after }];
  if (after === undefined) return [{ change: 'removed', path, before }];
  if (isObject(before) && isObject(after)) return compare(path, before, after);
  return [{ change: 'changed', path, before, after }];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Escaped as in a JSON Pointer (RFC 6901). */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
