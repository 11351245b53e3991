/** What every session of a service runs with, by PostgreSQL's names. */
export function sessionSettings(options: {
  schema?: string | undefined;
  statementTimeoutMs: number;
}): Record<string, string> {
  return {
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
    // Compiling a statement costs more than any of ours runs, and tables without statistics look large enough for it.
    jit: 'off',
    // Plans are kept, and made while tables are small or never analyzed. Our statements reach their rows by an index: with that setting, the
    // planner chooses what is still right with a million rows.
    enable_seqscan: 'off',
    random_page_cost: '1.1',
    // For a statement with a short array PostgreSQL would make a new plan at every execution, which costs more than the execution.
    plan_cache_mode: 'force_generic_plan',
    ...(options.schema !== undefined && { search_path: options.schema }),
  };
}
