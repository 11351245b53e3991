import { admissionError } from './admission-error';

describe('the error of a refused admission', () => {
  it.each(['call', 'message'] as const)('for an insufficient balance is 402 and its message names the %s', (what) => {
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
