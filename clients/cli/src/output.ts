export interface OutputOptions {
  json?: boolean;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Progress and notes, which programs that read the output do not see. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** JSON for programs and where it is asked for; for people what `text` returns. */
export function show(value: unknown, { json }: OutputOptions, text: () => string): void {
  say(json === true || !process.stdout.isTTY ? JSON.stringify(value, null, 2) : text());
}

export function table(rows: readonly (readonly (string | null | undefined)[])[]): string {
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
