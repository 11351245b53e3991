import type {
  KnowledgeAnswer,
  MessageRecord,
  ToolOutcomeName,
  TransferKind,
  WorkerCredentials,
  WorkerToolCallState,
  WorkerTransferState,
} from '@parley/contract';

/** The requests of the runner to the platform, under the lease of its call. Each rejects if the platform refuses it or cannot be reached. */
export interface ToolPlatform {
  /** Called before a request is sent. @param run the id of this attempt; repeated with the same id, the response is the same */
  begin(call: {
    readonly toolCallId: string;
    readonly name: string;
    readonly runId: string;
  }): Promise<WorkerToolCallState>;
  end(toolCallId: string, end: ToolCallEnd): Promise<unknown>;
  /** Sends a message, once per tool call. */
  sendMessage(message: {
    readonly toolCallId: string;
    readonly to?: string;
    readonly body: string;
  }): Promise<MessageRecord>;
  /** Searches the agent's documents. */
  queryKnowledge(text: string): Promise<KnowledgeAnswer>;
  transfer(transfer: TransferRequest): Promise<WorkerTransferState>;
}

/** Requests a transfer from the platform. A repeated request continues to wait for the same transfer. */
export interface TransferRequest {
  readonly toolCallId: string;
  readonly to: string;
  readonly kind: TransferKind;
  readonly announcement?: string;
}

export interface ToolCallEnd {
  readonly outcome: ToolOutcomeName;
  /** Without secrets. */
  readonly result: string;
  readonly durationMs: number;
}

/** Sends a body to a route of a worker's job, such as `credentials`. Rejects like the routes of `Platform`. */
export type PostUnderLease = (jobId: string, path: string, body: object, waitMs?: number) => Promise<unknown>;

/** How long the platform waits for the outcome of a transfer. */
const transferWaitMs = 20_000;

/** The number of passages that a model gets for one question: about 1,500 words. */
const knowledgePieces = 4;

interface Lease {
  readonly job_id: string;
  readonly epoch: number;
}

/** Creates the requests to the routes under the lease of a job. */
export function leasedTools(post: PostUnderLease, { job_id: jobId, epoch }: Lease): ToolPlatform {
  return {
    begin: ({ toolCallId, name, runId }) =>
      post(jobId, 'tool-calls', {
        epoch,
        tool_call_id: toolCallId,
        name,
        run_id: runId,
      }) as Promise<WorkerToolCallState>,
    end: (toolCallId, { outcome, result, durationMs }) => {
      const path = `tool-calls/${encodeURIComponent(toolCallId)}/outcome`;
      return post(jobId, path, { epoch, outcome, result, duration_ms: durationMs });
    },
    sendMessage: ({ toolCallId, ...message }) =>
      post(jobId, 'messages', { epoch, tool_call_id: toolCallId, ...message }) as Promise<MessageRecord>,
    transfer: ({ toolCallId, ...transfer }) =>
      post(
        jobId,
        'transfers',
        { epoch, tool_call_id: toolCallId, ...transfer },
        transferWaitMs,
      ) as Promise<WorkerTransferState>,
    queryKnowledge: (text) =>
      post(jobId, 'knowledge-queries', { epoch, text, limit: knowledgePieces }) as Promise<KnowledgeAnswer>,
  };
}

/** Requests all secrets for the call of a lease. They are kept until the call ends. */
export const openCredentials = (post: PostUnderLease, { job_id: jobId, epoch }: Lease): Promise<WorkerCredentials> =>
  post(jobId, 'credentials', { epoch }) as Promise<WorkerCredentials>;
