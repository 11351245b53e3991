import type { CallTuning, TranslationPolicy } from '@parley/contract';
import type { AgentForCall, AgentsServiceServer } from '@parley/proto/agents';
import { serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import { holdOf } from '../../books';

/** The data of an agent that admission needs. */
export interface AgentSnapshot {
  readonly agent: AgentForCall;
  /** JSON of the class CallTuning. */
  readonly tuning: string;
  /** The maximum cost of its calls; micro-USD. */
  readonly holdMicros: number;
  readonly translation: TranslationPolicy | undefined;
  /** Whether the agent answers incoming messages. */
  readonly answersMessages: boolean;
  readonly tools: CallTuning['tools'];
  /** The published workflow; absent: the model conducts the conversation. */
  readonly workflow: CallTuning['workflow'];
}

/** Requests one agent from the agents service; see `agentClient`. */
export type AskAgent = (organizationId: string, agentId: string, context: OutgoingContext) => Promise<AgentSnapshot>;

/**
 * Requests agents from the agents service, one RPC each; requests that wait at the same time share one RPC (`admissionSnapshots`). Responses are not cached, so
 * a caller never receives data older than its request. The RPC does not inherit the abort signal of the request that started it, because other requests may
 * wait for the same response.
 * With an empty `organizationId` the agent's organization applies (an operator that specified none). Throws NotFoundError; internal_error 503.
 */
export const agentClient =
  (agents: Pick<GrpcClient<AgentsServiceServer>, 'getAgentForCall'>): AskAgent =>
  async (organizationId, agentId, { caller = serviceCaller, requestId, traceparent }) => {
    const own = { caller, requestId, ...(traceparent !== undefined && { traceparent }) };
    const agent = await agents.getAgentForCall({ organizationId, agentId }, own);
    const tuning = agent.tuning === undefined ? '{}' : agent.tuning.json.toString('utf8');
    const parsed = JSON.parse(tuning) as CallTuning;
    const {
      translation,
      answers_messages: answersMessages = false,
      tools = [],
      workflow,
    } = parsed as Partial<CallTuning>;
    const holdMicros = holdOf(parsed, Number(agent.costMicrosPerMinute));
    return { agent, tuning, holdMicros, translation, answersMessages, tools, workflow };
  };
