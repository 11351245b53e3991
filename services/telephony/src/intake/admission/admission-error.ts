import { AppError } from '@parley/errors';
import { retryAfterSeconds, type AdmissionRefusal } from './admit-batch.rules';

const controls = {
  suppressed: 'the number is on the suppression list',
  daily_spend: 'the spend cap of the day is reached',
  calls_per_minute: 'the limit of calls per minute is reached',
  calls_per_hour: 'the limit of calls per hour is reached',
  live_calls: 'the limit of live calls is reached',
} as const;

/** The error of a refused admission: SuspensionError, InsufficientBalanceError or outbound_call_queue_full. */
export function admissionError(
  refusal: AdmissionRefusal,
  drainPerSecond: number,
  unknownRetrySeconds: number,
  what: 'call' | 'message' = 'call',
): AppError {
  switch (refusal.reason) {
    case 'balance':
      return new AppError('InsufficientBalanceError', `insufficient balance for the maximum cost of the ${what}`);
    case 'queue_full':
      return new AppError('outbound_call_queue_full', 'the outbound call queue is full', {
        fields: { retry_after_seconds: retryAfterSeconds(refusal.place, drainPerSecond, unknownRetrySeconds) },
      });
    case 'scheduled_full':
      return new AppError('outbound_call_queue_full', 'too many calls are scheduled', {
        fields: { retry_after_seconds: unknownRetrySeconds },
      });
    case 'suppressed':
    case 'daily_spend':
    case 'calls_per_minute':
    case 'calls_per_hour':
    case 'live_calls':
      return new AppError('SuspensionError', controls[refusal.reason]);
  }
}
