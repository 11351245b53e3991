/** The settings of every session of a service, by their PostgreSQL names. */
export function sessionSettings(options: {
  schema?: string | undefined;
  statementTimeoutMs: number;
}): Record<string, string> {
  return {
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
    // JIT compilation costs more than any of our statements, but tables without statistics look large enough for it.
    jit: 'off',
    // Plans are cached, and often made while tables are small or not analyzed. Our statements find their rows by an index: with this setting, the
    // planner chooses plans that are still right with a million rows.
    enable_seqscan: 'off',
    random_page_cost: '1.1',
    // For a statement with a short array PostgreSQL would plan every execution again, which costs more than the execution.
    plan_cache_mode: 'force_generic_plan',
    ...(options.schema !== undefined && { search_path: options.schema }),
  };
}
