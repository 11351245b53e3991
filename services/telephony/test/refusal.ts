import { AppError } from '@parley/errors';

/** Status and code of the error with which a promise rejects. */
export async function refusal(promise: Promise<unknown>): Promise<[number, string]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.code];
    throw error;
  }
  throw new Error('nothing was refused');
}
