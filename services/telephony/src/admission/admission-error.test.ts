import { admissionError } from './admission-error';

describe('an admission that is refused', () => {
  it.each(['call', 'message'] as const)('names the %s that the wallet does not cover', (what) => {
    const { status, code, message } = admissionError({ reason: 'balance' }, 0, 0, what);
    const other = what === 'call' ? 'message' : 'call';
    expect([status, code, message.includes(what), message.includes(other)]).toEqual([
      402,
      'InsufficientBalanceError',
      true,
      false,
    ]);
  });
});
