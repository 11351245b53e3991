import { loadConfig } from '@parley/runtime';
import { accountAt, VoiceStackConfig } from './config';
import { builtInVendors } from './catalogue';

const environment = {
  AUTH_ADDRESS: 'auth:1',
  PARLEY_ENV: 'development',
  DATABASE_URL: 'postgres://role:password@localhost:5432/parley',
};
const accounts = builtInVendors.flatMap(({ provider, requires_account }) => (requires_account ? [provider] : []));

describe('accounts of the platform at providers', () => {
  it('some providers require an account', () => expect(accounts.length).toBeGreaterThan(0));

  it.each(accounts)('the account of %s is read from variables with its name', (name) => {
    const stem = `PROVIDER_${name.toUpperCase()}`;
    const config = loadConfig(VoiceStackConfig, {
      ...environment,
      [`${stem}_API_KEY`]: 'a key',
      [`${stem}_URL`]: 'http://localhost:1',
    });
    expect(accountAt(config, name)).toEqual({ apiKey: 'a key', baseUrl: 'http://localhost:1' });
    expect(accountAt(loadConfig(VoiceStackConfig, environment), name)).toEqual({
      apiKey: undefined,
      baseUrl: undefined,
    });
    expect(() => loadConfig(VoiceStackConfig, { ...environment, [`${stem}_URL`]: 'ftp://localhost' })).toThrow(
      `${stem}_URL`,
    );
  });
});

it.each(builtInVendors.map(({ provider }) => provider))(
  'the name of %s is unique and valid in the names of variables',
  (name) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(builtInVendors.filter(({ provider }) => provider === name)).toHaveLength(1);
  },
);
