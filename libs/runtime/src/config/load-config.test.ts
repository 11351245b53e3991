import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArrayNotEmpty, IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { BaseConfig } from './base-config';
import { ConfigError, loadConfig, variableOf } from './load-config';

class ExampleConfig extends BaseConfig {
  @IsString()
  authAddress!: string;

  @IsInt()
  @Min(1)
  @Max(60)
  leaseSeconds: number = 15;

  @IsBoolean()
  dryRun: boolean = false;

  @IsOptional()
  @IsString({ each: true })
  allowedHosts?: string[];

  @ArrayNotEmpty()
  keys: string[] = ['default'];
}

const errorsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(ExampleConfig, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors.map((failure) => failure.split(':')[0] ?? '').sort();
    throw error;
  }
  return [];
};

const valid = { AUTH_ADDRESS: 'auth:1' };

describe('loadConfig', () => {
  it.each([
    ['grpcPort', 'GRPC_PORT'],
    ['otelExporterOtlpEndpoint', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['parleyEnv', 'PARLEY_ENV'],
    ['http2Limit', 'HTTP2_LIMIT'],
  ])('the property %s is set by the variable %s', (property, variable) => {
    expect(variableOf(property)).toBe(variable);
  });

  it('converts values to the declared types and keeps defaults', () => {
    const config = loadConfig(ExampleConfig, {
      ...valid,
      LEASE_SECONDS: '3',
      DRY_RUN: 'true',
      ALLOWED_HOSTS: 'a.example, b.example,',
      GRPC_PORT: '0',
      LOG_LEVEL: '',
    });
    expect(config).toMatchObject({ authAddress: 'auth:1', leaseSeconds: 3, dryRun: true, grpcPort: 0 });
    expect(config).toMatchObject({ allowedHosts: ['a.example', 'b.example'], logLevel: 'info', healthPort: 9090 });
    expect(config.databaseUrl).toBeUndefined();
  });

  it.each([
    ['a missing variable', {}, ['AUTH_ADDRESS']],
    ['an empty variable', { AUTH_ADDRESS: '' }, ['AUTH_ADDRESS']],
    ['not a number', { ...valid, LEASE_SECONDS: '1e3' }, ['LEASE_SECONDS']],
    ['below the minimum', { ...valid, LEASE_SECONDS: '0' }, ['LEASE_SECONDS']],
    ['the minimum', { ...valid, LEASE_SECONDS: '1' }, []],
    ['the maximum', { ...valid, LEASE_SECONDS: '60' }, []],
    ['above the maximum', { ...valid, LEASE_SECONDS: '61' }, ['LEASE_SECONDS']],
    ['a fraction', { ...valid, LEASE_SECONDS: '1.5' }, ['LEASE_SECONDS']],
    ['not a boolean', { ...valid, DRY_RUN: 'maybe' }, ['DRY_RUN']],
    ['not a port', { ...valid, GRPC_PORT: '65536' }, ['GRPC_PORT']],
    ['not a database', { ...valid, DATABASE_URL: 'mysql://x/y' }, ['DATABASE_URL']],
    ['a NATS server with TLS', { ...valid, NATS_URL: 'tls://auth:secret@nats.example:4222' }, []],
    [
      'a NATS server with TLS at an IP address',
      { ...valid, NATS_URL: 'tls://auth:secret@10.0.0.1:4222' },
      ['NATS_URL'],
    ],
    ['a NATS server without a scheme', { ...valid, NATS_URL: 'auth:secret@here:4222, there' }, []],
    ['a NATS server with another scheme', { ...valid, NATS_URL: 'https://here:4222' }, ['NATS_URL']],
    ['a NATS server with TLS in capitals', { ...valid, NATS_URL: 'TLS://auth:secret@here:4222' }, ['NATS_URL']],
    ['a NATS password with an invalid escape', { ...valid, NATS_URL: 'nats://auth:%zz@here:4222' }, ['NATS_URL']],
    ['an empty list', { ...valid, KEYS: ' , ' }, ['KEYS']],
    [
      'several errors at once',
      { LEASE_SECONDS: 'x', PARLEY_ENV: 'test', DRY_RUN: 'x' },
      ['AUTH_ADDRESS', 'DRY_RUN', 'LEASE_SECONDS', 'PARLEY_ENV'],
    ],
  ])('%s', (_case, env, errors) => {
    expect(errorsOf(env)).toEqual(errors);
  });

  it.each([
    ['DATABASE_URL', 'mysql://user:hunter2@x'],
    ['NATS_URL', 'tls://auth:hunter2@10.0.0.1:4222'],
    ['NATS_URL', 'nats://auth:hunter2%zz@here'],
    ['NATS_URL', 'tls://auth:hunter2@not a host'],
  ])('an error never contains the value, which may be a secret: %s=%s', (variable, value) => {
    expect(() => loadConfig(ExampleConfig, { ...valid, [variable]: value })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  describe('<NAME>_FILE', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(folder, 'secret');
    writeFileSync(file, 'postgres://u:p@h/d\n');
    afterAll(() => rmSync(folder, { recursive: true }));

    it('the value is the content of the file without the final newline', () => {
      expect(loadConfig(ExampleConfig, { ...valid, DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://u:p@h/d');
    });

    it.each([
      ['a missing file', { DATABASE_URL_FILE: join(folder, 'none') }],
      ['a variable that is set both directly and by file', { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://x/y' }],
    ])('%s is a configuration error', (_case, env) => {
      expect(errorsOf({ ...valid, ...env })).toEqual(['DATABASE_URL']);
    });
  });
});
