import type {
  KnowledgeAnswer,
  MessageRecord,
  ToolOutcomeName,
  TransferKind,
  WorkerCredentials,
  WorkerToolCallState,
  WorkerTransferState,
} from '@parley/contract';

/** The runner's requests to the platform, under the lease of its call. Each rejects if the platform refuses it or cannot be reached. */
export interface ToolPlatform {
  /** Called before a request is sent. @param run Id of this attempt: repeated with it, the response is the same */
  begin(call: {
    readonly toolCallId: string;
    readonly name: string;
    readonly runId: string;
  }): Promise<WorkerToolCallState>;
  end(toolCallId: string, end: ToolCallEnd): Promise<unknown>;
  /** Sends a message once per tool call. */
  sendMessage(message: {
    readonly toolCallId: string;
    readonly to?: string;
    readonly body: string;
  }): Promise<MessageRecord>;
  /** Searches the agent's documents. */
  queryKnowledge(text: string): Promise<KnowledgeAnswer>;
  transfer(transfer: TransferRequest): Promise<WorkerTransferState>;
}

/** Requests a transfer from the platform; repeated, it continues to wait. */
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

/** Sends a body to a route of a worker's job, such as `credentials`; rejects as the routes of `Platform` do. */
export type PostUnderLease = (jobId: string, path: string, body: object, waitMs?: number) => Promise<unknown>;

/** How long the platform waits for the outcome of a transfer. */
const transferWaitMs = 20_000;

/** Passages that a model reads for one question: some 1,500 words. */
const knowledgePieces = 4;

interface Lease {
  readonly job_id: string;
  readonly epoch: number;
}

/** The routes under the lease of a job. */
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

/** All secrets of a lease's call; kept for the duration of the call. */
export const openCredentials = (post: PostUnderLease, { job_id: jobId, epoch }: Lease): Promise<WorkerCredentials> =>
  post(jobId, 'credentials', { epoch }) as Promise<WorkerCredentials>;
