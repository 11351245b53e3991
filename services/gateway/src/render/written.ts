import type { WrittenDocument } from '@parley/proto/telephony';
import { documentAnswer, type Answer } from '../answer';

export const writtenAnswer = ({ document, etag, replayed, ignoredFields }: WrittenDocument): Answer =>
  documentAnswer(document, { etag, replayed, ignored: ignoredFields });
