import type { AgentsServiceServer } from '@parley/proto/agents';
import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import type { CallContext, Clock, Database, GrpcClient } from '@parley/runtime';
import type { ExtractionDependencies } from '../extraction';
import type { LanguageModels } from '../models';

/** Dependencies of simulations. */
export interface SimulationDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly agents: Pick<
    GrpcClient<AgentsServiceServer>,
    'getAgentForCall' | 'getAgentForSimulation' | 'getCallSecrets'
  >;
  readonly telephony: Pick<GrpcClient<TelephonyServiceServer>, 'readForExtraction'>;
  readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPublication' | 'getCatalogue'>;
  readonly models: LanguageModels;
  readonly extraction: ExtractionDependencies;
  /** Called after a commit that wrote an audit event. Never throws. */
  readonly onAudit: () => void;
}

/** The part that all requests about simulations have in common. */
export interface Asked {
  /** Empty if an operator names none. */
  readonly organizationId: string;
  readonly context: CallContext;
}
