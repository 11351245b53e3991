/** The SQLSTATE of refuse_admission (migration 0001). */
const refusalState = 'PA001';

/** Whether a cap rolled the statement back for this reason. */
export function isRefusal(error: unknown, reason: string): boolean {
  return error instanceof Error && 'code' in error && error.code === refusalState && error.message === reason;
}
