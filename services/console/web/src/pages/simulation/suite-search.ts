export interface SuiteSearch {
  readonly run?: string;
  readonly against?: string;
}

const runId = /^run_\w+$/;
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && runId.test(value) ? value : undefined;

/** What is no id of a run is dropped. */
export function suiteSearch(search: Record<string, unknown>): SuiteSearch {
  const run = idOf(search['run']);
  const against = idOf(search['against']);
  return { ...(run !== undefined && { run }), ...(against !== undefined && { against }) };
}
