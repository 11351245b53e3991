import { BaseConfig, Readable } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsString, MinLength } from 'class-validator';

export class AgentsConfig extends BaseConfig {
  /** VOICE_STACK_ADDRESS: host:port, several by comma, or dns:///name:port. */
  @IsString()
  @MinLength(1)
  voiceStackAddress!: string;

  /** AUTH_ADDRESS: as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  authAddress!: string;

  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;
}
