/** How to find the rows of an organization or of a person: by columns of the table, or in another way. */
export type Finder = { readonly columns: readonly string[] } | { readonly through: string };

/** A table with data that is or may be personal. Each of its text, binary and JSON columns is listed in `personal` or in `other`. */
export interface PersonalTable {
  /** Columns with personal data, with a description of the data. */
  readonly personal: Readonly<Record<string, string>>;
  /** Columns without personal data: ids, codes and settings. */
  readonly other: readonly string[];
  readonly byOrganization: Finder;
  /** How to find the rows of a person, by phone number or call. */
  readonly byPerson: Finder;
  /** The retention rule: what erases, deletes or drops the data and when, or `kept: ` and the reason. */
  readonly aging: string;
}

/** A store other than a database: a stream, a bucket, or Redis keys. */
export interface PersonalStore {
  readonly holds: string;
  readonly byOrganization: string;
  readonly byPerson: string;
  readonly aging: string;
}

/** The tables of one service. */
export interface ServiceTables {
  readonly personal: Readonly<Record<string, PersonalTable>>;
  /** Tables without personal data. Their text, binary and JSON columns are listed too, so that new columns must be classified. */
  readonly without: Readonly<Record<string, readonly string[]>>;
}

export const organizationColumn: Finder = { columns: ['organization_id'] };
export const noPerson = (why: string): Finder => ({ through: `not: ${why}` });
