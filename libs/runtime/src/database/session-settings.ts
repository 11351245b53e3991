/** The settings of all sessions of a service, by their PostgreSQL names. */
export function sessionSettings(options: {
  schema?: string | undefined;
  statementTimeoutMs: number;
}): Record<string, string> {
  return {
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
    // JIT compilation costs more than any of our statements, but for tables without statistics the planner would use it.
    jit: 'off',
    // Plans are cached, and often made while tables are still small or not analyzed. All our statements find their rows by an index: with this setting the
    // planner chooses plans that are still good with a million rows.
    enable_seqscan: 'off',
    random_page_cost: '1.1',
    // Otherwise PostgreSQL would plan a statement with a short array again for every execution, which costs more than the execution.
    plan_cache_mode: 'force_generic_plan',
    ...(options.schema !== undefined && { search_path: options.schema }),
  };
}
