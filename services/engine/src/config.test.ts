import { tokenChecksum } from '@parley/contract';
import { ConfigError, loadConfig } from '@parley/runtime';
import { EngineConfig } from './config';

const tokenOf = (prefix: string): string => {
  const text = prefix + 'a'.repeat(32);
  return text + tokenChecksum(text);
};
const key = tokenOf('tai_');
const gatewayToken = tokenOf('tgw_');

const usable = { GATEWAY_URL: 'http://127.0.0.1:8080', SERVICE_WORKER_API_TOKEN: key };

function errorsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(EngineConfig, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.errors].map((line) => line.split(':')[0] ?? '');
    throw error;
  }
}

describe('configuration of a worker by environment variables', () => {
  it('has defaults, except for secrets and the URL of the gateway', () => {
    expect(loadConfig(EngineConfig, usable)).toMatchObject({ engineCapacity: 10 });
  });

  it.each<[string, Record<string, string | undefined>, string[]]>([
    [
      'refuses a gateway token as the worker key',
      { SERVICE_WORKER_API_TOKEN: gatewayToken },
      ['SERVICE_WORKER_API_TOKEN'],
    ],
    ['refuses an API key as the gateway token', { SERVICE_GATEWAY_API_TOKEN: key }, ['SERVICE_GATEWAY_API_TOKEN']],
    [
      'accepts an API key as worker key and a gateway token as gateway token',
      { SERVICE_GATEWAY_API_TOKEN: gatewayToken },
      [],
    ],
    ['refuses a mistyped key', { SERVICE_WORKER_API_TOKEN: `${key.slice(0, -1)}!` }, ['SERVICE_WORKER_API_TOKEN']],
    ['refuses a missing worker key', { SERVICE_WORKER_API_TOKEN: undefined }, ['SERVICE_WORKER_API_TOKEN']],
    [
      'accepts the key of a simulation runner without a worker key',
      { SERVICE_WORKER_API_TOKEN: undefined, SIMULATION_WORKER_API_TOKEN: key },
      [],
    ],
    ['accepts a worker key and the key of a simulation runner together', { SIMULATION_WORKER_API_TOKEN: key }, []],
    [
      'refuses a gateway token as the key of a simulation runner',
      { SIMULATION_WORKER_API_TOKEN: gatewayToken },
      ['SIMULATION_WORKER_API_TOKEN'],
    ],
    ['refuses a missing GATEWAY_URL', { GATEWAY_URL: undefined }, ['GATEWAY_URL']],
    [
      'accepts TEST_CALL_CONDUCTOR=parrot in development',
      { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'parrot' },
      [],
    ],
    [
      'accepts TEST_CALL_CONDUCTOR=offline in development',
      { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'offline' },
      [],
    ],
    [
      'refuses TEST_CALL_CONDUCTOR=offline in production',
      { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'offline' },
      ['TEST_CALL_CONDUCTOR'],
    ],
    [
      'refuses TEST_CALL_CONDUCTOR=parrot in production',
      { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'parrot' },
      ['TEST_CALL_CONDUCTOR'],
    ],
    [
      'refuses TEST_CALL_CONDUCTOR=parrot without PARLEY_ENV',
      { TEST_CALL_CONDUCTOR: 'parrot' },
      ['TEST_CALL_CONDUCTOR'],
    ],
    ['accepts TEST_CALL_CONDUCTOR=none in production', { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'none' }, []],
    ['accepts TEST_CALL_CONDUCTOR=agent in production', { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'agent' }, []],
    ['refuses an unknown TEST_CALL_CONDUCTOR', { TEST_CALL_CONDUCTOR: 'person' }, ['TEST_CALL_CONDUCTOR']],
    ['accepts MEDIA_PORT=0, any free port', { MEDIA_PORT: '0' }, []],
    ['accepts MEDIA_PORT=65535', { MEDIA_PORT: '65535' }, []],
    ['refuses MEDIA_PORT=65536', { MEDIA_PORT: '65536' }, ['MEDIA_PORT']],
    ['accepts a list of origins', { MEDIA_ORIGINS: 'https://a.example,http://127.0.0.1:8080' }, []],
    ['refuses an origin with a path', { MEDIA_ORIGINS: 'https://a.example/' }, ['MEDIA_ORIGINS']],
    ['refuses the origin *', { MEDIA_ORIGINS: '*' }, ['MEDIA_ORIGINS']],
    ['refuses a GATEWAY_URL without a scheme', { GATEWAY_URL: 'gateway:8080' }, ['GATEWAY_URL']],
    ['accepts a GATEWAY_URL with http', { GATEWAY_URL: 'http://gateway:8080' }, []],
    ['refuses capacity 0', { ENGINE_CAPACITY: '0' }, ['ENGINE_CAPACITY']],
    ['accepts capacity 100', { ENGINE_CAPACITY: '100' }, []],
    ['refuses capacity 101', { ENGINE_CAPACITY: '101' }, ['ENGINE_CAPACITY']],
    [
      'accepts capacity 1 with a media port, if test calls are not accepted',
      { ENGINE_CAPACITY: '1', MEDIA_PORT: '0' },
      [],
    ],
    ...(['1', '2'] as const).map((capacity): [string, Record<string, string>, string[]] => [
      `capacity ${capacity} with test calls is refused if it is 1`,
      { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'parrot', MEDIA_PORT: '0', ENGINE_CAPACITY: capacity },
      capacity === '1' ? ['ENGINE_CAPACITY'] : [],
    ]),
    [
      'reports several errors at once',
      { GATEWAY_URL: undefined, SERVICE_WORKER_API_TOKEN: gatewayToken, ENGINE_CAPACITY: 'many' },
      ['GATEWAY_URL', 'SERVICE_WORKER_API_TOKEN', 'ENGINE_CAPACITY'],
    ],
  ])('%s', (_, change, expected) => {
    expect(errorsOf({ ...usable, ...change }).sort()).toEqual([...expected].sort());
  });

  it('shows no token in an error message', () => {
    try {
      loadConfig(EngineConfig, { ...usable, SERVICE_WORKER_API_TOKEN: gatewayToken });
    } catch (error) {
      expect(String(error)).not.toContain(gatewayToken);
      return;
    }
    throw new Error('a gateway token was taken for a key');
  });
});
