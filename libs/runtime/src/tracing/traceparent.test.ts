import { isTraceparent, newTraceparent } from './traceparent';

describe('traceparent', () => {
  it('newTraceparent returns valid and unique values', () => {
    expect(isTraceparent(newTraceparent())).toBe(true);
    expect(newTraceparent()).not.toBe(newTraceparent());
  });

  it.each([
    '',
    undefined,
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
  ])('isTraceparent is false for %j', (value) => {
    expect(isTraceparent(value)).toBe(false);
  });
});
