import { CampaignContactCreate, isTemplateName, limits, validate } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import type { Campaign } from './campaign.rules';
import columnNames from './number-columns.json';

/** The state of an import of contacts. */
export interface ContactImport {
  readonly importId: string;
  readonly campaignId: string;
  readonly format: 'json' | 'csv';
  readonly status: 'running' | 'completed';
  /** Chunks accepted so far. */
  readonly pieces: number;
  /** The columns of a CSV upload. */
  readonly header: readonly string[];
  readonly rows: number;
  readonly added: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row that was skipped. */
export interface RowFault {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Maximum of faults that an answer names. */
export const shownFaults = 100;

/**
 * Refuses an upload that is not what it should be, because reading the rest costs as much as contacts would.
 * @param before the rows and invalid rows of earlier chunks
 * @param faults the first ones of the upload
 * @throws BadRequestError with the number of rows that were read and the first faults
 */
export function refuseExcess(
  before: { readonly rows: number; readonly rejected: number },
  read: { readonly rows: number; readonly rejected: number },
  faults: readonly RowFault[],
): void {
  const [rows, rejected] = [before.rows + read.rows, before.rejected + read.rejected];
  if (rows > limits.contactsOfCampaign) throw badRequest(`an upload has at most ${limits.contactsOfCampaign} rows`);
  if (rejected <= limits.rejectedRows) return;
  const first = [...faults].sort((one, other) => one.line - other.line).slice(0, shownFaults);
  const errors = first.map(({ line, reason }) => {
    const path = `lines[${line}]`;
    return { path, code: 'format' as const, message: `${path} ${reason}` };
  });
  throw badRequest(`more than ${limits.rejectedRows} of the first ${rows} rows are invalid`, { errors });
}

/** JSON of the class CampaignImportRecord. */
export function renderImport(made: ContactImport, faults: readonly RowFault[]): string {
  return JSON.stringify({
    import_id: made.importId,
    campaign_id: made.campaignId,
    format: made.format,
    status: made.status,
    rows: made.rows,
    added: made.added,
    duplicates: made.duplicates,
    rejected: made.rejected,
    faults,
    created_at: made.createdAt.toISOString(),
    updated_at: made.updatedAt.toISOString(),
  });
}

/** Longer reasons are truncated: a reason may quote a cell, and a cell may be as long as its row. */
const longestReason = 200;

/** Names of the column with the number to call, folded, in English and the languages of most contact files. */
const numberColumns: ReadonlySet<string> = new Set(columnNames);
const consentColumn = 'consent';
const zoneColumns: ReadonlySet<string> = new Set(['timezone', 'tz']);
const mostColumns = 100;

/** A name without case, marks, spaces and punctuation. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{Z}\s]/gu, '')
    .toLowerCase()
    .normalize('NFC');

/**
 * The columns of an upload, as they are stored: `to`, `consent` (whether the contact agreed to be called), `time_zone`, and variables. One column has the number
 * to call: `to`, or else the only one with a usual name for it. A variable is a text unless its name ends in `:number` or `:boolean`; its name must be one that
 * a text of the agent can contain. Empty columns at the end, which spreadsheets write, are left out.
 * @throws BadRequestError for an invalid header, naming what was found
 */
export function headerOf(cells: readonly string[]): string[] {
  const found = cells.map((cell) => cell.trim());
  while (found.length > 0 && found.at(-1) === '') found.pop();
  if (found.length > mostColumns) throw badRequest(`the header has more than ${mostColumns} columns`);
  if (found.includes('')) throw badRequest(`the header has a column without a name: ${found.indexOf('') + 1}`);
  const number = numberColumn(found);
  const header = found.map((name, place) => {
    if (place === number) return 'to';
    if (folded(name) === consentColumn) return consentColumn;
    return zoneColumns.has(folded(name)) ? 'time_zone' : variableColumn(name);
  });
  const names = header.map((name) => variableOf(name).name);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw badRequest(`the header contains a column twice: ${twice}`);
  const others = names.filter((name) => !isTemplateName(name));
  if (others.length > 0) {
    const renamed = others.map((name) => `${name} (for example ${suggested(name)})`);
    throw badRequest(
      `columns must have names of letters A to Z, digits and _: ${renamed.join(', ')}`.slice(0, longestReason),
    );
  }
  return header;
}

/** The place of the column with the number to call. */
function numberColumn(found: readonly string[]): number {
  const exact = found.filter((name) => folded(name) === 'to');
  const named = exact.length > 0 ? exact : found.filter((name) => numberColumns.has(folded(name)));
  const [only] = named;
  const what = found.length === 1 ? 'one column' : `${found.length} columns`;
  const list = found.length === 0 ? 'no columns' : `${what}: ${found.join(', ')}`.slice(0, longestReason);
  const [onlyCell = ''] = found;
  const delimiter = found.length === 1 ? /[^\p{L}\p{N}\s_-]/u.exec(onlyCell)?.[0] : undefined;
  const question = delimiter === undefined ? '' : ` — is the delimiter ${delimiter}?`;
  if (only === undefined) throw badRequest(`the header must have one column named to; it has ${list}${question}`);
  if (named.length > 1)
    throw badRequest(`several columns may have the number to call: ${named.join(', ')}; name one of them to`);
  return found.indexOf(only);
}

/** The type of a variable is recognized in any case. */
const variableColumn = (name: string): string =>
  name.replace(/\s*:\s*(number|boolean)$/i, (type) => type.replace(/\s/g, '').toLowerCase());

/** A name for a column that a text can contain. */
const suggested = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .replace(/^(?=\d|$)/, 'column_');

function variableOf(column: string): { readonly name: string; readonly type: string } {
  const found = /^(.+):(number|boolean)$/.exec(column);
  return { name: found?.[1] ?? column, type: found?.[2] ?? 'string' };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

function truthOf(column: string, cell: string): boolean {
  const truth = truths.get(cell.toLowerCase());
  if (truth === undefined) throw badRequest(`${column} must be true or false`);
  return truth;
}

function valueOf(column: string, type: string, cell: string): unknown {
  if (type === 'boolean') return truthOf(column, cell);
  if (type !== 'number') return cell;
  const number = /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : NaN;
  if (!Number.isFinite(number)) throw badRequest(`${column} must be a number`);
  return number;
}

/** Converts a row of an upload to a contact, or returns why it is invalid. Empty cells count as absent. Pure. */
export function contactOfRow(
  header: readonly string[],
  cells: readonly string[],
): { readonly contact: CampaignContactCreate } | { readonly reason: string } {
  if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
    return { reason: `has ${cells.length} cells for ${header.length} columns` };
  try {
    const variables: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    header.forEach((column, place) => {
      const cell = (cells[place] ?? '').trim();
      if (cell === '') return;
      if (cell.includes('\0')) throw badRequest(`${column} contains the character U+0000`);
      if (cell.includes('\uFFFD')) throw badRequest(`${column} contains a character that cannot be read (U+FFFD)`);
      if (column === 'to' || column === 'time_zone') fields[column] = cell;
      else if (column === consentColumn) fields[column] = truthOf(column, cell);
      else {
        const { name, type } = variableOf(column);
        variables.push([name, valueOf(column, type, cell)]);
      }
    });
    if (variables.length > 0) fields['variables'] = Object.fromEntries(variables);
    return { contact: validate(CampaignContactCreate, fields).value };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { reason: error.message.slice(0, longestReason) };
  }
}

/** The campaign after the removal of a contact that has no open attempt. Past attempts of the contact remain in the statistics. */
export function withoutContact(
  campaign: Campaign,
  { status, outcome }: { readonly status: 'pending' | 'completed'; readonly outcome: string | null },
): Campaign {
  const counted = { ...campaign, contacts: campaign.contacts - 1, [status]: campaign[status] - 1 };
  if (outcome === null) return counted;
  const left = Object.entries({
    ...campaign.outcomes,
    [outcome]: (campaign.outcomes as Record<string, number>)[outcome] ?? 1,
  });
  const outcomes = Object.fromEntries(
    left.map(([name, count]) => [name, name === outcome ? count - 1 : count] as const).filter(([, count]) => count > 0),
  );
  return { ...counted, outcomes };
}
