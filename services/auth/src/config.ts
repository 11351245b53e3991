import { BaseConfig } from '@parley/runtime';
import {
  IsString,
  Validate,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { parsePeppers } from './domain/peppers';

@ValidatorConstraint({ name: 'peppers' })
class Readable implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return faultOf(value) === undefined;
  }

  defaultMessage({ value }: ValidationArguments): string {
    return faultOf(value) ?? '';
  }
}

function faultOf(value: unknown): string | undefined {
  try {
    parsePeppers(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export class AuthConfig extends BaseConfig {
  /** TOKEN_PEPPERS: `1:<base64 of 32 bytes>[,2:...]`; the highest version hashes new tokens. */
  @IsString()
  @Validate(Readable)
  tokenPeppers!: string;
}
