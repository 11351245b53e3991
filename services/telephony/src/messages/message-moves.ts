import type { DeliveryReport } from '../network';
import type { MessageReport } from './record-messages';

/** The transitions that a carrier's report implies. A final status also implies that the carrier accepted the message. */
export function movesOf(
  { status, errorCode }: Pick<DeliveryReport, 'status' | 'errorCode'>,
  carrierMessageId: string,
): MessageReport['moves'] {
  const facts = { errorCode: errorCode === '' ? status : errorCode, errorDetail: 'as the carrier reports' };
  switch (status) {
    case 'sent':
      return [['accept', { carrierMessageId }]];
    case 'delivered':
      return [
        ['accept', { carrierMessageId }],
        ['deliver', {}],
      ];
    case 'undelivered':
      return [
        ['accept', { carrierMessageId }],
        ['undeliver', facts],
      ];
    case 'failed':
      return [['fail', { carrierMessageId, ...facts }]];
  }
}
