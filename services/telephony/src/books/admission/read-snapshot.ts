import { invalidField } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import type { Database, Queryable } from '@parley/runtime';
import * as snapshots from './admission-snapshot.sql';
import type { AdmissionQuestion, AdmissionSnapshot, SendingNumber } from './admissions.rules';

/** Reads what admission needs of telephony's tables before its write. What the question leaves out is not asked. */
export const readAdmissionSnapshot = (
  db: Queryable,
  organizationId: string,
  question: Partial<AdmissionQuestion>,
): Promise<AdmissionSnapshot> =>
  snapshots.readAdmissionSnapshot(db, organizationId, {
    ...{ route: '', keys: [], from: [], anyNumber: false, to: [] },
    ...question,
  });

/**
 * The caller number: `from`, which must belong to the agent's project, or the project's only number if `from` is omitted.
 * @throws BadRequestError naming from
 */
export async function sendingNumber(
  db: Database,
  snapshot: AdmissionSnapshot,
  from: string | undefined,
  { organizationId, projectId }: Pick<AgentForCall, 'organizationId' | 'projectId'>,
): Promise<SendingNumber> {
  const ofProject = (numbers: readonly SendingNumber[]) => numbers.filter((number) => number.projectId === projectId);
  if (from !== undefined) {
    const named = ofProject(snapshot.named).find((number) => number.phoneNumber === from);
    if (named !== undefined) return named;
    throw invalidField('from', 'not_allowed', "is not a number of the agent's project");
  }
  const complete = snapshot.first.length < snapshots.numbersRead;
  const [first, second] = complete
    ? ofProject(snapshot.first)
    : await snapshots.numbersOfProject(db, organizationId, projectId);
  if (first === undefined) throw invalidField('from', 'required', "is required: the agent's project has no number");
  if (second !== undefined)
    throw invalidField('from', 'required', "is required: the agent's project has several numbers");
  return first;
}
