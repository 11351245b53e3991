import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { parseVaultKeys } from '@parley/vault';
import { IsOptional, IsString, MinLength } from 'class-validator';

export class AgentsConfig extends BaseConfig {
  /** VOICE_STACK_ADDRESS: host:port, comma-separated, or dns:///name:port. */
  @IsString()
  @MinLength(1)
  voiceStackAddress!: string;

  /** AUTH_ADDRESS: format as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  authAddress!: string;

  /** TELEPHONY_ADDRESS: format as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  telephonyAddress!: string;

  /** KNOWLEDGE_ADDRESS: format as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  knowledgeAddress!: string;

  /** WEBHOOKS_ADDRESS: format as VOICE_STACK_ADDRESS. */
  @IsString()
  @MinLength(1)
  webhooksAddress!: string;

  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, comma-separated; the last one encrypts. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** WEBHOOK_ALLOWED_CIDRS: comma-separated CIDR blocks of in-cluster receivers for agents and tools. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: comma-separated host names of in-cluster receivers. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}
