import type { AgentsServiceServer } from '@parley/proto/agents';
import type { AuthServiceServer } from '@parley/proto/auth';
import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import type { Clock, Database, GrpcClient } from '@parley/runtime';
import type { LanguageModels, ModelPrices } from '../models';
import type { OutputValidators } from './output-validator';

/** Dependencies of extraction. */
export interface ExtractionDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly agents: Pick<GrpcClient<AgentsServiceServer>, 'getAgentForCall' | 'getCallSecrets'>;
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'findComponentCredentials'>;
  readonly telephony: Pick<
    GrpcClient<TelephonyServiceServer>,
    'readForExtraction' | 'recordExtraction' | 'listTranscribedCalls'
  >;
  readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPublication'>;
  readonly models: LanguageModels;
  readonly prices: ModelPrices;
  readonly validators: OutputValidators;
  /** Whether data may be extracted by rules. */
  readonly rules: boolean;
  /** Called after a commit that wrote an audit event. Never throws. */
  readonly onAudit: () => void;
  /** Called after jobs were added. Never throws. */
  readonly onJobs: () => void;
}
