import { createPublicKey, verify } from 'node:crypto';
import { createVault, parseVaultKeys } from '@parley/vault';
import { adoptionTokenKeys, newAdoptionToken } from './adoption-token.rules';

const key = (fill: number): string => `k${fill}:${Buffer.alloc(32, fill).toString('base64')}`;
const vaultOf = (...fills: number[]) => createVault(parseVaultKeys(fills.map(key).join()));

const isOf = (token: string, x: string): boolean =>
  verify(
    null,
    Buffer.from(token.slice(0, 22), 'base64url'),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    Buffer.from(token.slice(22), 'base64url'),
  );

describe('tokens of media connections', () => {
  it('are different ones of 108 characters that fit into a subprotocol and a query', () => {
    const tokens = Array.from({ length: 50 }, () => newAdoptionToken(vaultOf(1)));
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{108}$/);
  });

  it('are signed by the newest key of the vault, and recognized by all replicas that have it', () => {
    const token = newAdoptionToken(vaultOf(1, 2));
    expect(adoptionTokenKeys(vaultOf(1, 2)).map((one) => isOf(token, one))).toEqual([false, true]);
    expect(adoptionTokenKeys(vaultOf(2, 3)).map((one) => isOf(token, one))).toEqual([true, false]);
    expect(adoptionTokenKeys(vaultOf(3)).map((one) => isOf(token, one))).toEqual([false]);
  });
});
