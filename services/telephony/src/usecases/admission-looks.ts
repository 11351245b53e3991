import type { CreatingRequest } from '@parley/idempotency';
import type { Database } from '@parley/runtime';
import { lookForAdmission, type AdmissionLook } from '../db/admission-look';
import { Turns, type Settled } from './turns';

export interface LookRequest {
  readonly request: CreatingRequest;
  /** The number to call from; undefined: any. */
  readonly from: string | undefined;
  /** The number to call. */
  readonly to: string;
}

export type AdmissionLooks = Turns<LookRequest, AdmissionLook>;

/** Looks at telephony's own rows for the requests of an organization that wait: one statement for all of them. */
export function admissionLooks(db: Database): AdmissionLooks {
  const run = async (
    organizationId: string,
    items: readonly LookRequest[],
  ): Promise<readonly Settled<AdmissionLook>[]> => {
    const look = await lookForAdmission(db, organizationId, {
      route: items[0]?.request.route ?? '',
      keys: items.flatMap(({ request }) => (request.key === '' ? [] : [request.key])),
      from: items.flatMap(({ from }) => (from === undefined ? [] : [from])),
      anyNumber: items.some(({ from }) => from === undefined),
      to: items.map(({ to }) => to),
    });
    return items.map(() => ({ value: look }));
  };
  return new Turns({ run, bytesOf: ({ request, to }) => request.key.length + to.length, mostItems: 256 });
}
