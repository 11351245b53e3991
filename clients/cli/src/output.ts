export interface OutputOptions {
  json?: boolean;
  /** Whether to print only ids. */
  quiet?: boolean;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints progress and notes to stderr, so that programs which read the output do not get them. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints JSON if requested or if the output is not a terminal; otherwise the result of `text`; with `-q` only ids. */
export function show(value: unknown, { json, quiet }: OutputOptions, text: () => string): void {
  if (quiet === true) for (const id of idsOf(value)) say(id);
  else say(json === true || !process.stdout.isTTY ? JSON.stringify(value, null, 2) : text());
}

type Cell = string | null | undefined;

export function table(rows: readonly (readonly Cell[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '-').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (cell ?? '-').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The columns of a list: from each group, the first field that the records have. */
const columns = [
  ['name', 'phone_number', 'to', 'event_type', 'action', 'kind'],
  ['status', 'active', 'outcome', 'type'],
  ['from', 'provider', 'direction', 'ended_reason'],
  ['version', 'row', 'line', 'code'],
  ['created_at', 'occurred_at', 'attempted_at', 'at'],
] as const;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of the property that identifies a record, such as `call_id` in a call, and not that of its owner. */
function identityOf(record: Record<string, unknown>): string | undefined {
  const names = Object.keys(record).filter((name) => name === 'id' || name.endsWith('_id'));
  const isOwner = (name: string): boolean => ['organization_id', 'project_id'].includes(name);
  return names.find((name) => !isOwner(name)) ?? names.at(-1);
}

function idsOf(value: unknown): string[] {
  const data = isRecord(value) && Array.isArray(value.data) ? (value.data as unknown[]) : value;
  return (Array.isArray(data) ? data : [data]).filter(isRecord).flatMap((record) => {
    const name = identityOf(record);
    return name === undefined ? [] : [String(record[name])];
  });
}

const isBold = (): boolean => process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';

/** Formats records as a table with a header, and a single record as its fields. */
export function tableOf(value: unknown): string {
  const data: unknown = isRecord(value) && Array.isArray(value.data) ? value.data : value;
  if (!Array.isArray(data)) return isRecord(data) ? fieldsOf(data) : textOf(data);
  const records = data.filter(isRecord);
  const [first] = records;
  if (first === undefined) return data.length === 0 ? 'none' : data.map(textOf).join('\n');
  const chosen = columns.flatMap((group) => group.find((name) => name in first) ?? []);
  const names = [...new Set([identityOf(first) ?? [], chosen].flat())];
  const [head = '', ...rows] = table([
    names.map((name) => name.toUpperCase()),
    ...records.map((record) => names.map((name) => textOf(record[name]))),
  ]).split('\n');
  return [isBold() ? `\u001b[1m${head}\u001b[0m` : head, ...rows].join('\n');
}

const fieldsOf = (record: Record<string, unknown>): string =>
  table(Object.entries(record).map(([name, value]) => [name, textOf(value)]));

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
