/** How the rows of an organization or of a person are found: by columns of the table, or by another way. */
export type Finder = { readonly columns: readonly string[] } | { readonly through: string };

/** What a service keeps that is or may be about a person. Every one of its text, binary and JSON columns is in `personal` or in `other`. */
export interface PersonalTable {
  /** What is about a person, by column. */
  readonly personal: Readonly<Record<string, string>>;
  /** Columns without personal data: ids, codes and settings. */
  readonly other: readonly string[];
  readonly byOrganization: Finder;
  /** By phone number or call. */
  readonly byPerson: Finder;
  /** The rule by which it goes: what erases, deletes or drops it and when, or `kept: ` and why. */
  readonly aging: string;
}

/** A store outside the databases: a stream, a bucket, keys of Redis. */
export interface PersonalStore {
  readonly holds: string;
  readonly byOrganization: string;
  readonly byPerson: string;
  readonly aging: string;
}

/** The tables of one service. */
export interface ServiceTables {
  readonly personal: Readonly<Record<string, PersonalTable>>;
  /** Tables without personal data, each with its text, binary and JSON columns: a new one has to be classified. */
  readonly without: Readonly<Record<string, readonly string[]>>;
}

export const organizationColumn: Finder = { columns: ['organization_id'] };
export const noPerson = (why: string): Finder => ({ through: `not: ${why}` });
