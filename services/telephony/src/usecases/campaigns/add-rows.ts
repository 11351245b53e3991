import { badRequest, conflict, notFound } from '@parley/errors';
import { recall, remember, type CreatingRequest } from '@parley/idempotency';
import type { Queryable } from '@parley/runtime';
import { parse } from 'csv-parse/sync';
import { findImport } from '../../db/campaigns/imports';
import { contactOfRow, headerOf, type ContactImport, type RowFault } from '../../domain/campaigns/contact-import';
import type { NewContact } from '../../db/campaigns/contacts';
import type { Telephony } from '../telephony';
import { lockForContacts, newImport, renderedImport, takeRows, type ContactRows } from './add-contacts';
import { newContact } from './create-campaign';
import { getCampaign } from './read-campaigns';

/** A piece of an upload: whole records, the header before the first of them. */
export interface RowsPiece {
  /** Empty for the first. */
  readonly importId: string;
  readonly rows: Buffer;
  /** Of the piece in its file, from 1. */
  readonly firstLine: number;
  /** Counts the pieces from 1. */
  readonly piece: number;
  readonly last: boolean;
}

export interface TakenPiece {
  readonly importId: string;
  /** JSON of CampaignImportRecord. */
  readonly body: string;
  /** The whole upload was answered before. */
  readonly replayed: boolean;
}

/** What the reader gives of a record. */
interface ReadRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

interface ParsedRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Takes one piece of an upload of contacts: its good rows are added, each bad one is reported with its line. A piece that was taken
 * before changes nothing, and whoever is in the campaign already is not added again: a broken upload is simply made again.
 * @throws NotFoundError; ConflictError; BadRequestError for the header
 */
export async function addCampaignRows(
  telephony: Telephony,
  named: string,
  campaignId: string,
  piece: RowsPiece,
  request: (organizationId: string) => CreatingRequest,
): Promise<TakenPiece> {
  const { db } = telephony;
  const { organizationId } = await getCampaign(db, named, campaignId);
  const creates = request(organizationId);
  const earlier = piece.piece === 1 ? await recall(db, creates) : undefined;
  if (earlier !== undefined) return { importId: '', body: earlier.body, replayed: true };
  const parsed = parseRows(piece);
  return db.transaction(async (tx) => {
    const { campaign, now } = await lockForContacts(tx, organizationId, campaignId);
    const begun =
      piece.piece === 1
        ? newImport(campaignId, 'csv', headerOf(parsed.rows.shift()?.cells ?? []), now)
        : await findImport(tx, organizationId, campaignId, piece.importId);
    if (begun === undefined) throw notFound('import');
    if (begun.pieces > piece.piece - 1) return taken(tx, organizationId, begun);
    if (begun.pieces < piece.piece - 1) throw conflict('a piece of the upload is missing');
    const current: ContactImport = { ...begun, status: piece.last ? 'completed' : 'running' };
    const made = await takeRows(tx, campaign, current, contactsOf(begun.header, parsed), now);
    const answer = await taken(tx, organizationId, made);
    if (piece.last) await remember(tx, creates, { status: 201, body: answer.body, recordId: made.importId });
    return answer;
  });
}

const taken = async (tx: Queryable, organizationId: string, made: ContactImport): Promise<TakenPiece> => ({
  importId: made.importId,
  body: await renderedImport(tx, organizationId, made),
  replayed: false,
});

/** The records of a piece with their lines; those that are no CSV as faults. */
function parseRows({ rows, firstLine, piece }: RowsPiece): { rows: ParsedRow[]; faults: RowFault[] } {
  const faults: RowFault[] = [];
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: piece > 1 }).decode(rows);
  } catch {
    throw badRequest(`the rows from line ${firstLine} on are not UTF-8`);
  }
  const lineOf = (lines: number): number => firstLine + lines - 1;
  const records: unknown = parse(text, {
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      faults.push({ line: lineOf((error as { lines?: number } | undefined)?.lines ?? 1), reason: 'is not CSV' });
      return undefined;
    },
  });
  return {
    // `lines` is that of the record's end.
    rows: (records as ReadRecord[]).map(({ record, raw, info }) => ({
      cells: record,
      line: lineOf(info.lines) - (raw.trimEnd().split('\n').length - 1),
    })),
    faults,
  };
}

function contactsOf(header: readonly string[], parsed: { rows: ParsedRow[]; faults: RowFault[] }): ContactRows {
  const contacts: NewContact[] = [];
  const faults = [...parsed.faults];
  for (const { cells, line } of parsed.rows) {
    const row = contactOfRow(header, cells);
    if ('contact' in row) contacts.push(newContact(row.contact));
    else faults.push({ line, reason: row.reason });
  }
  return { contacts, faults };
}
