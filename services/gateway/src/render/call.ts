import type { CallResponse } from '@parley/proto/telephony';
import { documentAnswer, type Answer } from '../answer';

/** A call as telephony rendered it. */
export const callAnswer = ({ document, etag, replayed, ignoredFields }: CallResponse): Answer =>
  documentAnswer(document, { etag, replayed, ignored: ignoredFields });
