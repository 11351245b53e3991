import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** The timeout of a stalled reader, which then reconnects with its Last-Event-ID. */
const stuckMs = 30_000;

/** The delay in milliseconds after which readers reconnect. */
const retryMs = 1_000;

/**
 * Sends server-sent events until they end, the client disconnects or `signal` is aborted. Once the stream has started, no error response is possible: a failing
 * stream is closed, and its reader resumes from its position.
 */
export async function sendStream(
  response: ServerResponse,
  blocks: AsyncIterable<string>,
  requestId: string,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Disables response buffering in proxies.
    'X-Accel-Buffering': 'no',
    'X-Request-Id': requestId,
  });
  response.write(`retry: ${retryMs}\n\n`);
  try {
    for await (const block of blocks) {
      if (signal.aborted || response.destroyed) break;
      if (!response.write(block)) await drained(response, signal);
    }
    response.end();
  } catch {
    // Reached also if the client disconnected or this process is stopping.
    response.end();
  }
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stuckMs)]) }).catch(() => {
    response.destroy();
  });
}
