import { BaseConfig } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsString, registerDecorator, type ValidationArguments } from 'class-validator';
import { parsePeppers } from './domain/peppers';

function faultOf(read: (text: string) => unknown, value: unknown): string | undefined {
  try {
    read(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The setting is whatever `read` takes without an error; the error's text is the fault. */
function Readable(read: (text: string) => unknown): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => faultOf(read, value) === undefined,
        defaultMessage: (args?: ValidationArguments) => faultOf(read, args?.value) ?? '',
      },
    });
  };
}

export class AuthConfig extends BaseConfig {
  /** TOKEN_PEPPERS: `1:<base64 of 32 bytes>[,2:...]`; the highest version hashes new tokens. */
  @IsString()
  @Readable(parsePeppers)
  tokenPeppers!: string;

  /** VAULT_KEYS: `<id>:<base64 of 32 bytes>`, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;
}
