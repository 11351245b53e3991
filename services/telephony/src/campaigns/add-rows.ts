import { limits } from '@parley/contract';
import { badRequest, conflict, notFound } from '@parley/errors';
import { findStoredResponse, storeResponse, type CreatingRequest } from '@parley/service';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { findImport, firstImportFaults } from './imports.sql';
import { csvRecords } from './csv-records.rules';
import { contactOfRow, headerOf, refuseExcess, type ContactImport, type RowFault } from './contact-import.rules';
import type { NewContact } from './contacts.sql';
import type { Telephony } from '../telephony';
import { auditContacts, lockForContacts, newImport, renderedImport, takeRows, type ContactRows } from './add-contacts';
import { newContact } from './create-campaign';
import { getCampaign } from './read-campaigns';

/** A chunk of an upload: complete records; the first chunk begins with the header. */
export interface RowsPiece {
  /** Empty for the first chunk. */
  readonly importId: string;
  /** UTF-8. */
  readonly rows: Buffer;
  /** One character: what separates cells. */
  readonly delimiter: string;
  /** Number of the chunk's first line in the file, from 1. */
  readonly firstLine: number;
  /** Number of the chunk, from 1. */
  readonly piece: number;
  readonly last: boolean;
  /** SHA-256 of the whole upload; empty before the last chunk. */
  readonly sha256: Buffer;
}

export interface TakenPiece {
  readonly importId: string;
  /** JSON of CampaignImportRecord. */
  readonly body: string;
  /** The whole upload was already processed: the body is the stored response. */
  readonly replayed: boolean;
}

interface ParsedRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Processes one chunk of an upload of contacts: valid rows are added, and each invalid row is reported with its line. A chunk that was processed before changes
 * nothing, and contacts already in the campaign are not added again, so a client can simply repeat an interrupted upload.
 * @throws NotFoundError; ConflictError; BadRequestError for the header, and for an upload with too many invalid rows, whose earlier chunks remain
 */
export async function addCampaignRows(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  named: string,
  campaignId: string,
  piece: RowsPiece,
  request: (organizationId: string) => CreatingRequest,
  context: OutgoingContext,
): Promise<TakenPiece> {
  const { db } = telephony;
  const { organizationId } = await getCampaign(db, named, campaignId);
  const creates = request(organizationId);
  if (piece.piece > 1 && piece.importId === '') return confirmReplay(db, wholeOf(creates, piece));
  const earlier = piece.piece === 1 ? await findStoredResponse(db, creates) : undefined;
  if (earlier !== undefined) {
    if (piece.last) return confirmReplay(db, wholeOf(creates, piece));
    return { importId: '', body: earlier.body, replayed: true };
  }
  const parsed = parseRows(piece);
  const added = await db.transaction(async (tx) => {
    const { campaign, now } = await lockForContacts(tx, organizationId, campaignId);
    const begun =
      piece.piece === 1
        ? newImport(campaignId, 'csv', takeHeader(parsed), now)
        : await findImport(tx, organizationId, campaignId, piece.importId);
    if (begun === undefined) throw notFound('import');
    if (begun.pieces > piece.piece - 1) return taken(tx, organizationId, begun);
    if (begun.pieces < piece.piece - 1) throw conflict('a chunk of the upload is missing');
    const current: ContactImport = { ...begun, status: piece.last ? 'completed' : 'running' };
    const read = contactsOf(begun, parsed);
    const counts = { rows: read.contacts.length + read.faults.length, rejected: read.faults.length };
    const earlier =
      begun.rejected + counts.rejected > limits.rejectedRows ? await findFaults(tx, organizationId, begun) : [];
    refuseExcess(begun, counts, [...earlier, ...read.faults]);
    const made = await takeRows(tx, campaign, current, read, now);
    if (piece.last && made.rows === 0) throw badRequest('the file has a header and no rows');
    if (piece.piece === 1) await auditContacts(tx, organizationId, made, now, context);
    const answer = await taken(tx, organizationId, made);
    if (piece.last) {
      const stored = { status: 201, body: answer.body, recordId: made.importId };
      await storeResponse(tx, creates, stored);
      await storeResponse(tx, wholeOf(creates, piece), stored);
    }
    return answer;
  });
  telephony.onCommit(false);
  return added;
}

/** The same idempotency key with a fingerprint of the whole upload. */
const wholeOf = (creates: CreatingRequest, { sha256 }: RowsPiece): CreatingRequest => ({
  ...creates,
  route: `${creates.route}/whole`,
  fingerprint: sha256,
});

/** @throws ConflictError if the earlier upload with this key differs after its first chunk */
async function confirmReplay(db: Queryable, whole: CreatingRequest): Promise<TakenPiece> {
  const earlier = await findStoredResponse(db, whole);
  if (earlier === undefined) throw conflict('the upload is unknown; send it again');
  return { importId: '', body: earlier.body, replayed: true };
}

/** Removes the header record from the rows and returns its columns. @throws BadRequestError */
function takeHeader({ rows, faults }: { readonly rows: ParsedRow[]; readonly faults: readonly RowFault[] }): string[] {
  // Spreadsheets name the delimiter in a line of its own before the header.
  if (/^sep=[,;\t|]?$/i.test(rows[0]?.cells.join('') ?? '')) rows.shift();
  const [first] = rows;
  const [fault] = faults;
  if (fault !== undefined && (first === undefined || fault.line < first.line))
    throw badRequest(`the header ${fault.reason}`);
  rows.shift();
  return headerOf(first?.cells ?? []);
}

const taken = async (tx: Queryable, organizationId: string, made: ContactImport): Promise<TakenPiece> => ({
  importId: made.importId,
  body: await renderedImport(tx, organizationId, made),
  replayed: false,
});

/** The records of a chunk with their line numbers, and its invalid lines. Records of empty cells only count as blank lines. */
function parseRows({ rows: bytes, firstLine, delimiter }: RowsPiece): { rows: ParsedRow[]; faults: RowFault[] } {
  const rows: ParsedRow[] = [];
  const faults: RowFault[] = [];
  for (const record of csvRecords(bytes.toString(), firstLine, delimiter)) {
    if ('fault' in record) faults.push({ line: record.line, reason: record.fault });
    else if (record.cells.some((cell) => cell.trim() !== '')) rows.push(record);
  }
  return { rows, faults };
}

const findFaults = async (tx: Queryable, organizationId: string, { importId }: ContactImport) =>
  (await firstImportFaults(tx, organizationId, [importId])).get(importId) ?? [];

/** Ends early if there are too many faults. */
function contactsOf(
  { header, rejected }: ContactImport,
  parsed: { rows: ParsedRow[]; faults: RowFault[] },
): ContactRows {
  const contacts: NewContact[] = [];
  const faults = [...parsed.faults];
  for (const { cells, line } of parsed.rows) {
    if (rejected + faults.length > limits.rejectedRows) break;
    const row = contactOfRow(header, cells);
    if ('contact' in row) contacts.push(newContact(row.contact));
    else faults.push({ line, reason: row.reason });
  }
  return { contacts, faults };
}
