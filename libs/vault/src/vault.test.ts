import { randomBytes } from 'node:crypto';
import { parseVaultKeys } from './keyring';
import { createVault, type SealingContext, VaultError, type VaultErrorReason } from './vault';

const one = randomBytes(32).toString('base64');
const two = randomBytes(32).toString('base64');
const context: SealingContext = { organizationId: 'org_a', purpose: 'webhook-signing', recordId: 'ep_1' };

function errorOf(work: () => unknown): VaultErrorReason | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof VaultError) return error.reason;
    throw error;
  }
}

describe('seal and open', () => {
  const vault = createVault(parseVaultKeys(`k1:${one}`));

  it.each(['', 'whsec_x', 'ünïcode ☎', 'x'.repeat(10_000)])('open returns what was sealed (%#)', (secret) => {
    expect(vault.open(vault.seal(secret, context), context).toString('utf8')).toBe(secret);
  });

  it('seal gives different ciphertexts for equal secrets, without the plain text', () => {
    const [first, second] = [vault.seal('the-secret', context), vault.seal('the-secret', context)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('the-secret')).toBe(false);
  });

  it('open rejects a change of any byte', () => {
    const sealed = vault.seal('the-secret', context);
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
      expect(errorOf(() => vault.open(altered, context))).toBeDefined();
    }
  });

  it('open rejects every truncation', () => {
    const sealed = vault.seal('the-secret', context);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(errorOf(() => vault.open(sealed.subarray(0, length), context))).toBeDefined();
    }
  });

  it.each<[string, Partial<SealingContext>]>([
    ['another organization', { organizationId: 'org_b' }],
    ['another purpose', { purpose: 'component-credential' }],
    ['another record', { recordId: 'ep_2' }],
    ['parts whose concatenation is equal', { organizationId: 'org_', purpose: 'awebhook-signing' }],
  ])('open rejects %s', (_, other) => {
    const sealed = vault.seal('the-secret', context);
    expect(errorOf(() => vault.open(sealed, { ...context, ...other }))).toBe('not_authentic');
  });

  it('open rejects the ciphertext of one value with the wrapped key of another', () => {
    const [first, second] = [vault.seal('aaaaaaaa', context), vault.seal('bbbbbbbb', context)];
    const wrapEnd = 2 + 2 + 60;
    const mixed = Buffer.concat([first.subarray(0, wrapEnd), second.subarray(wrapEnd)]);
    expect(errorOf(() => vault.open(mixed, context))).toBe('not_authentic');
  });
});

describe('keys', () => {
  const before = createVault(parseVaultKeys(`k1:${one}`));
  const during = createVault(parseVaultKeys(`k1:${one},k2:${two}`));
  const after = createVault(parseVaultKeys(`k2:${two}`));

  it('seal uses the last key, open any known one', () => {
    expect(during.keyIdOf(during.seal('s', context))).toBe('k2');
    expect(during.open(before.seal('s', context), context).toString()).toBe('s');
  });

  it('an unknown key gives the reason unknown_key', () => {
    expect(errorOf(() => after.open(before.seal('s', context), context))).toBe('unknown_key');
  });

  it('rewrap makes a value readable without the old key', () => {
    expect(after.open(during.rewrap(before.seal('s', context), context), context).toString()).toBe('s');
  });

  it('rewrap rejects another organization', () => {
    const sealed = before.seal('s', context);
    expect(errorOf(() => during.rewrap(sealed, { ...context, organizationId: 'org_b' }))).toBe('not_authentic');
  });

  it('the error is an internal error without details for the client', () => {
    const error = new VaultError('unknown_key', 'no key k9');
    expect(error.toData()).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(error.toData())).not.toContain('k9');
  });
});

describe('VAULT_KEYS', () => {
  it('accepts several keys', () => {
    expect(parseVaultKeys(`k1:${one}, k2:${two}`)).toMatchObject({ current: 'k2' });
  });

  const short = randomBytes(31).toString('base64');
  const long = randomBytes(33).toString('base64');
  it.each([
    ['an empty list', '', 1],
    ['an entry without an id', one, 1],
    ['an id that is too long', `${'k'.repeat(33)}:${one}`, 1],
    ['31 bytes', `k1:${short}`, 1],
    ['33 bytes', `k1:${long}`, 1],
    ['invalid base64', `k1:${'*'.repeat(44)}`, 1],
    ['a duplicate id', `k1:${one},k1:${two}`, 1],
    ['each of several invalid entries', `k1:${short},k2:${long},${one}`, 3],
  ])('rejects %s', (_, text, errors) => {
    let message = '';
    try {
      parseVaultKeys(text);
    } catch (error) {
      message = String(error);
    }
    expect(message.split('; ').filter((part) => part.includes('key '))).toHaveLength(errors);
    expect(message).not.toContain(short);
  });

  it('accepts an id of 32 characters', () => {
    expect(parseVaultKeys(`${'k'.repeat(32)}:${one}`).current).toHaveLength(32);
  });
});
