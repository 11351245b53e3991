import type {
  KnowledgeAnswer,
  MessageRecord,
  ToolOutcomeName,
  TransferKind,
  WorkerCredentials,
  WorkerToolCallState,
  WorkerTransferState,
} from '@parley/contract';

/** What the runner asks of the platform, under the lease of its call. Each rejects where the platform refuses it or cannot be reached. */
export interface ToolPlatform {
  /** Before a request leaves. @param runId of this attempt: asked again with it, the answer is the same */
  begin(call: {
    readonly toolCallId: string;
    readonly name: string;
    readonly runId: string;
  }): Promise<WorkerToolCallState>;
  end(toolCallId: string, end: ToolCallEnd): Promise<unknown>;
  /** Sends once a tool call. */
  sendMessage(message: {
    readonly toolCallId: string;
    readonly to?: string;
    readonly body: string;
  }): Promise<MessageRecord>;
  /** What the documents of the agent say. */
  queryKnowledge(text: string): Promise<KnowledgeAnswer>;
  transfer(transfer: TransferRequest): Promise<WorkerTransferState>;
}

/** A transfer that is asked of the platform; asked again it goes on waiting. */
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

/** The platform waits so long for the outcome of a transfer. */
const transferWaitMs = 20_000;

/** Pieces of documents that a model reads for one question: some 1,500 words. */
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

/** Everything secret that the call of a lease is conducted with; to be held as long as the call. */
export const openCredentials = (post: PostUnderLease, { job_id: jobId, epoch }: Lease): Promise<WorkerCredentials> =>
  post(jobId, 'credentials', { epoch }) as Promise<WorkerCredentials>;
