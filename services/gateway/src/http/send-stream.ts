import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A reader that takes nothing for so long is let go: it comes back with its Last-Event-ID. */
const stuckMs = 30_000;

/** Milliseconds after which a reader whose stream ended should come back. */
const retryMs = 1_000;

/**
 * Responds with server-sent events until they end, the client leaves or `signal` is aborted. What begins is never turned
 * into an error: a stream that breaks is cut, and its reader goes on where it was.
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
    // Proxies that would collect the answer before they pass it on.
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
    // Also where the client left or this process is leaving.
    response.end();
  }
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stuckMs)]) }).catch(() => {
    response.destroy();
  });
}
