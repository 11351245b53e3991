import { CallerSigner } from './signed-callers';
import type { Caller } from '../grpc/call-context';

const caller: Caller = { keyId: 'key_1', organizationId: 'org_1', kind: 'customer', scopes: [] };
const issuedAt = (text: string): number =>
  (JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()) as { issued_at: number }).issued_at;

describe('CallerSigner', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  const signer = new CallerSigner({ service: 'gateway', sign: () => Buffer.from('signed'), chain: [] } as never);

  it.each([
    ['is reused within 15 s', 14_999, 1_000_000],
    ['is signed again after 15 s', 15_000, 1_015_000],
    ['is signed again if the clock was set back', -1, 999_999],
  ])('a signed caller %s', (_, passedMs, issued) => {
    const one = { ...caller };
    signer.textOf(one);
    jest.setSystemTime(1_000_000 + passedMs);
    expect(issuedAt(signer.textOf(one))).toBe(issued);
  });
});
