import { AppError } from './app-error';
import { errorCatalogue, type ErrorCode } from './catalogue';

const rows = Object.entries(errorCatalogue) as [ErrorCode, { status: number; retryable: boolean }][];

describe('the catalogue of errors', () => {
  it.each(rows)('retry: %s is retryable exactly if its status is 429 or 500 to 504', (code, { status, retryable }) => {
    expect(retryable).toBe(status === 429 || (status >= 500 && status <= 504));
    expect(new AppError(code, 'what went wrong').retryable).toBe(retryable);
  });
});
