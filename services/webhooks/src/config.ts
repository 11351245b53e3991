import { BaseConfig } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import {
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  registerDecorator,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { createAddressPolicy } from './network/address-policy';

function faultOf(read: (text: string) => unknown, value: unknown): string | undefined {
  try {
    read(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The setting is whatever `read` takes without an error; the error's text is the fault. */
function Readable(read: (text: string) => unknown, options?: ValidationOptions): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: {
        validate: (value: unknown) => faultOf(read, value) === undefined,
        defaultMessage: (args?: ValidationArguments) => faultOf(read, args?.value) ?? '',
      },
    });
  };
}

export class WebhooksConfig extends BaseConfig {
  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** CIDR blocks of in-cluster receivers, by comma. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** Names of in-cluster receivers, by comma; whatever they resolve to is allowed. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** Attempts under way at once in this process. */
  @IsInt()
  @Min(16)
  @Max(4096)
  webhookSlots: number = 256;

  /** Seconds for which an endpoint's lane is leased; a dead replica's deliveries wait no longer. */
  @IsInt()
  @Min(1)
  @Max(120)
  laneLeaseSeconds: number = 20;
}
