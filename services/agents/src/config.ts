import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { parseVaultKeys } from '@parley/vault';
import { IsOptional, IsString, MinLength } from 'class-validator';

export class AgentsConfig extends BaseConfig {
  /** VOICE_STACK_ADDRESS: host:port, several by comma, or dns:///name:port. */
  @IsString()
  @MinLength(1)
  voiceStackAddress!: string;

  /** AUTH_ADDRESS: as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  authAddress!: string;

  /** TELEPHONY_ADDRESS: as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  telephonyAddress!: string;

  /** KNOWLEDGE_ADDRESS: as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  knowledgeAddress!: string;

  /** WEBHOOKS_ADDRESS: as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  webhooksAddress!: string;

  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster receivers that agents and tools may name, by comma. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: names of in-cluster receivers, by comma. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}
