import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { getMetadataStorage, validateSync } from 'class-validator';

/** All errors in an environment, one per line: `GRPC_PORT: must be an integer number`. Never contains a value. */
export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(['invalid configuration:', ...errors.map((failure) => `  ${failure}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

type Values = Record<string, unknown>;

/** grpcPort -> GRPC_PORT, otelExporterOtlpEndpoint -> OTEL_EXPORTER_OTLP_ENDPOINT. */
export function variableOf(property: string): string {
  return property.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

/**
 * Reads a class with class-validator decorators from an environment. Texts are converted to the type of the property: number, boolean (true, false, 1, 0),
 * string, or string[] (separated by commas). An empty variable counts as absent; the class's initializer is the default. `<NAME>_FILE` may contain the path of
 * a file with the value, for secrets.
 * @throws ConfigError that lists all errors
 */
export function loadConfig<C extends object>(cls: new () => C, env: NodeJS.ProcessEnv = process.env): C {
  const config = new cls();
  const values = config as Values;
  const errors = new Map<string, string>();
  for (const property of propertiesOf(cls, config)) {
    const report = (failure: string) => errors.set(property, failure);
    const text = read(env, variableOf(property), report);
    if (text === undefined) continue;
    const type = typeOf(cls, property, values[property]);
    const value = convert(type, text);
    if (value === undefined) errors.set(property, `must be ${type === 'boolean' ? 'true or false' : 'a number'}`);
    else values[property] = value;
  }
  for (const error of validateSync(config, { forbidUnknownValues: false, stopAtFirstError: true })) {
    if (errors.has(error.property)) continue;
    const message = Object.values(error.constraints ?? {})[0] ?? 'is not valid';
    const present = read(env, variableOf(error.property), () => undefined) !== undefined;
    errors.set(error.property, present ? message.replace(`${error.property} `, '') : 'is required');
  }
  if (errors.size > 0) {
    throw new ConfigError([...errors].map(([property, failure]) => `${variableOf(property)}: ${failure}`));
  }
  return config;
}

function propertiesOf(cls: new () => object, config: object): Set<string> {
  const validated = getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false);
  return new Set([...Object.keys(config), ...validated.map((metadata) => metadata.propertyName)]);
}

function read(env: NodeJS.ProcessEnv, variable: string, failure: (text: string) => void): string | undefined {
  const direct = env[variable];
  const file = env[`${variable}_FILE`];
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    failure(`is set together with ${variable}_FILE; set only one`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    failure(`${variable}_FILE names a file that cannot be read`);
    return undefined;
  }
}

type Kind = 'number' | 'boolean' | 'list' | 'string';

/** The declared type if the property has a decorator; for a union of literals, the type of its initializer. */
function typeOf(cls: new () => object, property: string, initial: unknown): Kind {
  const declared: unknown = Reflect.getMetadata('design:type', cls.prototype as object, property);
  if (declared === Number || typeof initial === 'number') return 'number';
  if (declared === Boolean || typeof initial === 'boolean') return 'boolean';
  if (declared === Array || Array.isArray(initial)) return 'list';
  return 'string';
}

function convert(type: Kind, text: string): unknown {
  switch (type) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
    case 'boolean':
      return { true: true, '1': true, false: false, '0': false }[text.trim().toLowerCase()];
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'string':
      return text;
  }
}
