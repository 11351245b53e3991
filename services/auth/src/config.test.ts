import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, loadConfig } from '@parley/runtime';
import { AuthConfig } from './config';

const secret = Buffer.alloc(32, 7).toString('base64');

/** docs/reference/keys.md: the pepper and the key-encryption key are read from the environment or from a file, and never appear in an error message. */
describe('secrets in the configuration of auth', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'auth-config-'));
  const file = path.join(folder, 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));

  const common = {
    PARLEY_ENV: 'production',
    DATABASE_URL: 'postgres://parley_auth:p@127.0.0.1/parley',
    NATS_URL: 'nats://127.0.0.1',
  };
  const environment = { ...common, TOKEN_PEPPERS: `1:${secret}`, VAULT_KEYS: `k1:${secret}` };

  it('are read from the environment', () => {
    expect(loadConfig(AuthConfig, environment)).toMatchObject({
      tokenPeppers: `1:${secret}`,
      vaultKeys: `k1:${secret}`,
    });
  });

  it.each([
    ['TOKEN_PEPPERS', 'tokenPeppers', `2:${secret}`],
    ['VAULT_KEYS', 'vaultKeys', `k2:${secret}`],
  ])('%s is read from a file', (variable, field, value) => {
    writeFileSync(file, `${value}\n`);
    const { [variable as keyof typeof environment]: _inline, ...rest } = environment;
    expect(loadConfig(AuthConfig, { ...rest, [`${variable}_FILE`]: file })).toMatchObject({ [field]: value });
  });

  it.each([
    [{ VERIFICATION_PROVIDER_URL: 'https://kyc.example' }, 'VERIFICATION_PROVIDER_SECRET'],
    [{ VERIFICATION_PROVIDER_SECRET: `whsec_${secret}` }, 'VERIFICATION_PROVIDER_URL'],
    [
      { VERIFICATION_PROVIDER_URL: 'https://kyc.example', VERIFICATION_PROVIDER_SECRET: secret },
      'VERIFICATION_PROVIDER_SECRET',
    ],
    [
      { VERIFICATION_PROVIDER_URL: 'https://kyc.example/?a=1', VERIFICATION_PROVIDER_SECRET: `whsec_${secret}` },
      'VERIFICATION_PROVIDER_URL',
    ],
  ])(
    'VERIFICATION_PROVIDER_URL and _SECRET must be set together and be valid: %j fails at startup and names %s',
    (change, named) => {
      expect(() => loadConfig(AuthConfig, { ...environment, ...change })).toThrow(named);
    },
  );

  it.each([
    ['TOKEN_PEPPERS', undefined],
    ['VAULT_KEYS', undefined],
    ['TOKEN_PEPPERS', `1:${secret.slice(4)}`],
    ['VAULT_KEYS', `k1:${secret.slice(4)}`],
  ])('%s=%j fails at startup with an error that names the variable but does not quote its value', (variable, value) => {
    let thrown: unknown;
    try {
      loadConfig(AuthConfig, { ...environment, [variable]: value });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(String(thrown)).toContain(variable);
    expect(String(thrown)).not.toContain(secret.slice(4, 20));
  });
});
