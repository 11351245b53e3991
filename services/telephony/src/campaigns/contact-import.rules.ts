import { CampaignContactCreate, validate } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import type { Campaign } from './campaign.rules';

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

const numberColumns: readonly string[] = ['to', 'phone_number', 'phone'];
const mostColumns = 100;

/**
 * The columns of an upload. `to` (or phone_number) contains the number to call, and `consent` whether the contact agreed to be called. Every other column is a
 * variable, of type text unless its name ends in `:number` or `:boolean`.
 * @throws BadRequestError for an invalid header
 */
export function headerOf(cells: readonly string[]): string[] {
  const header = cells.map((cell) => cell.trim());
  if (header.length > mostColumns) throw badRequest(`the header has more than ${mostColumns} columns`);
  if (header.filter((name) => numberColumns.includes(name)).length !== 1) {
    throw badRequest('the header must have one column named to');
  }
  if (header.some((name) => name === '')) throw badRequest('the header has a column without a name');
  const names = header.map((name) => variableOf(name).name);
  if (new Set(names).size < names.length) throw badRequest('the header contains a column twice');
  return header;
}

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

/** Longer reasons are truncated: a reason may quote a cell, and a cell may be as long as its row. */
const longestReason = 200;

/** Converts a row of an upload to a contact, or returns why it is invalid. Empty cells count as absent. Pure. */
export function contactOfRow(
  header: readonly string[],
  cells: readonly string[],
): { readonly contact: CampaignContactCreate } | { readonly reason: string } {
  if (cells.length > header.length) return { reason: `has ${cells.length} cells for ${header.length} columns` };
  try {
    const variables: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    header.forEach((column, place) => {
      const cell = (cells[place] ?? '').trim();
      if (cell === '') return;
      if (numberColumns.includes(column)) fields['to'] = cell;
      else if (column === 'consent') fields['consent'] = truthOf(column, cell);
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
