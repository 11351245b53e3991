import { neverDialed } from '../dialing/never-dialed';
import { Text } from '../rules/constraints';
import { DescribeObject, Optional } from '../rules/decorators';
import type { TextBounds } from '../rules/class-facts';

/** An id in requests. The service that owns the resource decides whether it exists: a malformed id is 404, never 400. */
export const idText: TextBounds = { min: 1, max: 64 };

/** A telephone number, checked by syntax only. */
export const phoneNumber: TextBounds = {
  pattern: /^\+[1-9]\d{1,14}$/,
  description: 'a telephone number in E.164 form, such as +14155550100',
};

/** Refuses an address that is stored to be dialed later. */
const refusal: TextBounds['refusal'] = (to) => {
  const rules = neverDialed(to);
  return rules.length === 0 ? undefined : `is never dialed: ${rules.join(', ')}`;
};

export const storedPhoneNumber: TextBounds = { ...phoneNumber, refusal };

/** Whether it may be dialed is decided when it is dialed. */
export const transferAddress: TextBounds = {
  max: 255,
  pattern: /^(?:\+[1-9]\d{1,14}|sip:[\w.!~*'()&=+$,;?/%-]+@[A-Za-z0-9.-]+(?::\d{1,5})?(?:;user=phone)?)$/,
  description: 'a telephone number in E.164 form or a SIP address, such as sip:desk@example.com',
};

export const storedTransferAddress: TextBounds = { ...transferAddress, refusal };

export const storedTransferWords =
  'The number or SIP address. 400: premium-rate and emergency numbers, which are never dialed.';
export const transferAnnouncement = { min: 1, max: 1000, pattern: /\S/, description: 'words to say' };
export const transferAnnouncementWords =
  'Of a warm transfer: what only the other party hears before the two are connected.';

@DescribeObject(
  "The organization that a request is about, which the gateway compares with the caller's, for a body of a resource that has no project.",
)
export class OrganizationName {
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

@DescribeObject('A write may name the workspace of its resource: equal it is ignored, foreign it is 403.')
export class WorkspaceNames {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

/** Whether the zone exists is checked by what uses it. */
export const zoneName: TextBounds = {
  max: 64,
  pattern: /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/,
  description: 'an IANA time zone, such as Europe/Berlin',
};
