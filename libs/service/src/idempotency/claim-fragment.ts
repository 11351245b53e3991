import type { CreatingRequest, Remembered } from './request';

export interface ClaimOptions {
  /** The number of the fragment's first parameter, from 1. It uses seven. */
  readonly firstParameter: number;
  /** An SQL expression of type text for the answer, in place of `answer.body`, such as one that uses now(). */
  readonly bodyExpression?: string;
}

export interface ClaimFragment {
  /** Two CTEs, without `with` and without a trailing comma; the second is named `idempotency_won`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The memory as common table expressions, for a service that writes everything in one statement:
 *
 * ```ts
 * const claim = claimFragment(request, answer, { firstParameter: 4 });
 * db.query({ text: `with ${claim.text},
 *   call as (insert into calls (...) select $1, $2, $3 from idempotency_won returning *)
 *   select * from call`, values: [a, b, c, ...claim.values] });
 * ```
 *
 * `idempotency_won` holds one row when this request may create, none when an earlier one already did: then the statement
 * writes nothing, comes back empty and the caller answers `recall`. Every insert of the statement has to select from it.
 * The insert waits for another holder of the key as `remember` does. A request without a key always wins.
 * All seven parameters carry casts, so that the statement can be prepared.
 */
export function claimFragment(request: CreatingRequest, answer: Remembered, options: ClaimOptions): ClaimFragment {
  const parameter = (offset: number, type: string): string => `$${options.firstParameter + offset}::${type}`;
  const body =
    options.bodyExpression === undefined
      ? parameter(5, 'text')
      : `coalesce(${parameter(5, 'text')}, ${options.bodyExpression})`;
  return {
    text: `idempotency_row as (
  insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
  select ${parameter(0, 'text')}, ${parameter(1, 'text')}, ${parameter(2, 'text')}, ${parameter(3, 'bytea')},
         ${parameter(4, 'integer')}, ${body}, ${parameter(6, 'text')}
  where ${parameter(2, 'text')} <> ''
  on conflict (organization_id, route, key) do nothing
  returning true as won
), idempotency_won as (
  select won from idempotency_row union all select true where ${parameter(2, 'text')} = ''
)`,
    values: [
      request.organizationId,
      request.route,
      request.key,
      request.fingerprint,
      answer.status,
      options.bodyExpression === undefined ? answer.body : null,
      answer.recordId ?? '',
    ],
  };
}
