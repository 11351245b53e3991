import { randomBytes } from 'node:crypto';
import { parseVaultKeys } from './keyring';
import { createVault, type SealingContext } from './vault';
import { VaultError, type VaultErrorReason } from './vault-error';

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

  it.each(['', 'whsec_x', 'ünïcode ☎', 'x'.repeat(10_000)])('gives back what was sealed (%#)', (secret) => {
    expect(vault.open(vault.seal(secret, context), context).toString('utf8')).toBe(secret);
  });

  it('seals the same secret differently each time and never shows it', () => {
    const [first, second] = [vault.seal('the-secret', context), vault.seal('the-secret', context)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('the-secret')).toBe(false);
  });

  it('refuses a change of any single byte', () => {
    const sealed = vault.seal('the-secret', context);
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
      expect(errorOf(() => vault.open(altered, context))).toBeDefined();
    }
  });

  it('refuses every truncation', () => {
    const sealed = vault.seal('the-secret', context);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(errorOf(() => vault.open(sealed.subarray(0, length), context))).toBeDefined();
    }
  });

  it.each<[string, Partial<SealingContext>]>([
    ['another organization', { organizationId: 'org_b' }],
    ['another purpose', { purpose: 'component-credential' }],
    ['another record', { recordId: 'ep_2' }],
    ['parts that only join to the same text', { organizationId: 'org_', purpose: 'awebhook-signing' }],
  ])('refuses %s', (_, other) => {
    const sealed = vault.seal('the-secret', context);
    expect(errorOf(() => vault.open(sealed, { ...context, ...other }))).toBe('not_authentic');
  });

  it('does not open the ciphertext of one value under the wrapped key of another', () => {
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

  it('seals under the last key and opens under any known one', () => {
    expect(during.keyIdOf(during.seal('s', context))).toBe('k2');
    expect(during.open(before.seal('s', context), context).toString()).toBe('s');
  });

  it('names an unknown key', () => {
    expect(errorOf(() => after.open(before.seal('s', context), context))).toBe('unknown_key');
  });

  it('opens after the old key is gone once it was wrapped again', () => {
    expect(after.open(during.rewrap(before.seal('s', context), context), context).toString()).toBe('s');
  });

  it('does not wrap again for another organization', () => {
    const sealed = before.seal('s', context);
    expect(errorOf(() => during.rewrap(sealed, { ...context, organizationId: 'org_b' }))).toBe('not_authentic');
  });

  it('is an internal error that reveals nothing to the client', () => {
    const error = new VaultError('unknown_key', 'no key k9');
    expect(error.toData()).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(error.toData())).not.toContain('k9');
  });
});

describe('VAULT_KEYS', () => {
  it('takes several keys', () => {
    expect(parseVaultKeys(`k1:${one}, k2:${two}`)).toMatchObject({ current: 'k2' });
  });

  const short = randomBytes(31).toString('base64');
  const long = randomBytes(33).toString('base64');
  it.each([
    ['nothing', '', 1],
    ['no id', one, 1],
    ['an id that is too long', `${'k'.repeat(33)}:${one}`, 1],
    ['31 bytes', `k1:${short}`, 1],
    ['33 bytes', `k1:${long}`, 1],
    ['not base64', `k1:${'*'.repeat(44)}`, 1],
    ['the same id twice', `k1:${one},k1:${two}`, 1],
    ['each failure of several', `k1:${short},k2:${long},${one}`, 3],
  ])('refuses %s', (_, text, errors) => {
    let message = '';
    try {
      parseVaultKeys(text);
    } catch (error) {
      message = String(error);
    }
    expect(message.split('; ').filter((part) => part.includes('key '))).toHaveLength(errors);
    expect(message).not.toContain(short);
  });

  it('takes an id of 32 characters', () => {
    expect(parseVaultKeys(`${'k'.repeat(32)}:${one}`).current).toHaveLength(32);
  });
});
