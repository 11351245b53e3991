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

describe('the environment of a worker', () => {
  it('has defaults for what is not a secret', () => {
    expect(loadConfig(EngineConfig, usable)).toMatchObject({ engineCapacity: 10 });
  });

  it.each<[string, Record<string, string | undefined>, string[]]>([
    ['a gateway token as the worker key', { SERVICE_WORKER_API_TOKEN: gatewayToken }, ['SERVICE_WORKER_API_TOKEN']],
    ['a key as the gateway token', { SERVICE_GATEWAY_API_TOKEN: key }, ['SERVICE_GATEWAY_API_TOKEN']],
    ['each in its place', { SERVICE_GATEWAY_API_TOKEN: gatewayToken }, []],
    ['a mistyped key', { SERVICE_WORKER_API_TOKEN: `${key.slice(0, -1)}!` }, ['SERVICE_WORKER_API_TOKEN']],
    ['no key', { SERVICE_WORKER_API_TOKEN: undefined }, ['SERVICE_WORKER_API_TOKEN']],
    ['a simulation runner’s key alone', { SERVICE_WORKER_API_TOKEN: undefined, SIMULATION_WORKER_API_TOKEN: key }, []],
    ['both keys', { SIMULATION_WORKER_API_TOKEN: key }, []],
    [
      'a gateway token as a runner’s key',
      { SIMULATION_WORKER_API_TOKEN: gatewayToken },
      ['SIMULATION_WORKER_API_TOKEN'],
    ],
    ['no platform', { GATEWAY_URL: undefined }, ['GATEWAY_URL']],
    ['a parrot in development', { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'parrot' }, []],
    ['offline speech in development', { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'offline' }, []],
    [
      'offline speech in production',
      { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'offline' },
      ['TEST_CALL_CONDUCTOR'],
    ],
    ['a parrot in production', { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'parrot' }, ['TEST_CALL_CONDUCTOR']],
    ['a parrot where nothing says which it is', { TEST_CALL_CONDUCTOR: 'parrot' }, ['TEST_CALL_CONDUCTOR']],
    ['no runner in production', { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'none' }, []],
    ['the components of the agent in production', { PARLEY_ENV: 'production', TEST_CALL_CONDUCTOR: 'agent' }, []],
    ['a runner that there is not', { TEST_CALL_CONDUCTOR: 'person' }, ['TEST_CALL_CONDUCTOR']],
    ['any free media port', { MEDIA_PORT: '0' }, []],
    ['the last port', { MEDIA_PORT: '65535' }, []],
    ['a port past the last', { MEDIA_PORT: '65536' }, ['MEDIA_PORT']],
    ['pages that may connect', { MEDIA_ORIGINS: 'https://a.example,http://127.0.0.1:8080' }, []],
    ['a page with a path', { MEDIA_ORIGINS: 'https://a.example/' }, ['MEDIA_ORIGINS']],
    ['every page', { MEDIA_ORIGINS: '*' }, ['MEDIA_ORIGINS']],
    ['a platform without a scheme', { GATEWAY_URL: 'gateway:8080' }, ['GATEWAY_URL']],
    ['a platform in the cluster', { GATEWAY_URL: 'http://gateway:8080' }, []],
    ['capacity 0', { ENGINE_CAPACITY: '0' }, ['ENGINE_CAPACITY']],
    ['capacity 100', { ENGINE_CAPACITY: '100' }, []],
    ['capacity 101', { ENGINE_CAPACITY: '101' }, ['ENGINE_CAPACITY']],
    ['capacity 1 with a media port that takes no test call', { ENGINE_CAPACITY: '1', MEDIA_PORT: '0' }, []],
    ...(['1', '2'] as const).map((capacity): [string, Record<string, string>, string[]] => [
      `capacity ${capacity} where test calls are taken`,
      { PARLEY_ENV: 'development', TEST_CALL_CONDUCTOR: 'parrot', MEDIA_PORT: '0', ENGINE_CAPACITY: capacity },
      capacity === '1' ? ['ENGINE_CAPACITY'] : [],
    ]),
    [
      'several errors at once',
      { GATEWAY_URL: undefined, SERVICE_WORKER_API_TOKEN: gatewayToken, ENGINE_CAPACITY: 'many' },
      ['GATEWAY_URL', 'SERVICE_WORKER_API_TOKEN', 'ENGINE_CAPACITY'],
    ],
  ])('%s', (_, change, expected) => {
    expect(errorsOf({ ...usable, ...change }).sort()).toEqual([...expected].sort());
  });

  it('shows no token in a message', () => {
    try {
      loadConfig(EngineConfig, { ...usable, SERVICE_WORKER_API_TOKEN: gatewayToken });
    } catch (error) {
      expect(String(error)).not.toContain(gatewayToken);
      return;
    }
    throw new Error('a gateway token was taken for a key');
  });
});
