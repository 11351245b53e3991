import type { CallTuning, TranslationPolicy } from '@parley/contract';
import type { AgentForCall, AgentsServiceServer } from '@parley/proto/agents';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';
import { holdOf } from '../domain/holds';

/** An agent as admission needs it. */
export interface AskedAgent {
  readonly agent: AgentForCall;
  /** JSON of the class CallTuning. */
  readonly tuning: string;
  /** What a call of it costs at most; micro-USD. */
  readonly holdMicros: number;
  readonly translation: TranslationPolicy | undefined;
}

interface Question {
  readonly begun: number;
  readonly answer: Promise<AskedAgent>;
}

/**
 * Asks agents once for all who wait for the same agent. A question that began after a request arrived answers it, and no
 * older one does: nobody is told what was true before they asked. Nothing is kept of an answer.
 */
export class AgentQuestions {
  private ticks = 0;
  /** The question about an agent that began last. */
  private readonly asking = new Map<string, Question>();

  constructor(private readonly agents: Pick<GrpcClient<AgentsServiceServer>, 'getAgentForCall'>) {}

  /** Marks the moment at which a request arrives, for `ask`. */
  arrival(): number {
    return (this.ticks += 1);
  }

  /**
   * @param organizationId empty: the agent's own (an operator who named none)
   * @throws NotFoundError; internal_error 503
   */
  ask(organizationId: string, agentId: string, arrived: number, context: OutgoingContext): Promise<AskedAgent> {
    const key = `${organizationId} ${agentId}`;
    const current = this.asking.get(key);
    if (current !== undefined && current.begun > arrived) return current.answer;
    const question = { begun: this.arrival(), answer: this.fetch(organizationId, agentId, context) };
    this.asking.set(key, question);
    const over = () => {
      if (this.asking.get(key) === question) this.asking.delete(key);
    };
    question.answer.then(over, over);
    return question.answer;
  }

  /** Without the signal of the request that happens to ask: others wait for the same answer. */
  private async fetch(
    organizationId: string,
    agentId: string,
    { caller, requestId, traceparent }: OutgoingContext,
  ): Promise<AskedAgent> {
    const own = {
      requestId,
      ...(caller !== undefined && { caller }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const agent = await this.agents.getAgentForCall({ organizationId, agentId }, own);
    const tuning = agent.tuning === undefined ? '{}' : agent.tuning.json.toString('utf8');
    const parsed = JSON.parse(tuning) as CallTuning;
    const holdMicros = holdOf(parsed, Number(agent.costMicrosPerMinute));
    return { agent, tuning, holdMicros, translation: parsed.translation };
  }
}
