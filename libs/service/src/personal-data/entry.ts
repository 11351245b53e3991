/** How to find the rows of an organization or of a person: by columns of the table, or otherwise. */
export type Finder = { readonly columns: readonly string[] } | { readonly through: string };

/** A table with data that is or may be personal. Every one of its text, binary and JSON columns is listed in `personal` or in `other`. */
export interface PersonalTable {
  /** Personal data, by column. */
  readonly personal: Readonly<Record<string, string>>;
  /** Columns without personal data: ids, codes and settings. */
  readonly other: readonly string[];
  readonly byOrganization: Finder;
  /** By phone number or call. */
  readonly byPerson: Finder;
  /** The retention rule: what erases, deletes or drops it and when, or `kept: ` and why. */
  readonly aging: string;
}

/** A store outside the databases: a stream, a bucket, Redis keys. */
export interface PersonalStore {
  readonly holds: string;
  readonly byOrganization: string;
  readonly byPerson: string;
  readonly aging: string;
}

/** The tables of one service. */
export interface ServiceTables {
  readonly personal: Readonly<Record<string, PersonalTable>>;
  /** Tables without personal data, each with its text, binary and JSON columns, so that new columns have to be classified. */
  readonly without: Readonly<Record<string, readonly string[]>>;
}

export const organizationColumn: Finder = { columns: ['organization_id'] };
export const noPerson = (why: string): Finder => ({ through: `not: ${why}` });
