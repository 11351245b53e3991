import { Metadata, status, type Channel } from '@grpc/grpc-js';
import { PublicServiceService } from '@parley/proto/public';
import { decodeReplies } from './decode-replies';
import { encodeRequests } from './encode-requests';
import { AwaitedRequests, messageOf, type Load, type Waiting } from './public-awaited';

const { path } = PublicServiceService.handlePublic;

/** If a request's deadline is at most this much earlier than that of its message, it needs no separate timer. */
const SLACK_MS = 50;

/** Sends requests in a separate call, which is canceled when none of them is awaited any more. @throws Error if the channel is closed */
export function sendBatch(channel: Channel, batch: readonly Waiting[], load: Load): void {
  const deadline = Math.max(...batch.map((request) => request.deadline));
  const call = channel.createCall(path, deadline, null, null, null);
  let abandoned = false;
  // Not needed if every request got its reply, because the server then ends the call itself.
  const cancelIfAbandoned = () => {
    if (awaited.size === 0 && abandoned) call.cancelWithStatus(status.CANCELLED, 'given up');
  };
  const awaited = new AwaitedRequests(load, () => {
    abandoned = true;
    cancelIfAbandoned();
  });
  call.start(new Metadata(), {
    onReceiveMetadata: () => undefined,
    onReceiveMessage: (bytes: Buffer) => {
      try {
        for (const reply of decodeReplies(bytes).replies) awaited.settle(reply);
      } catch {
        call.cancelWithStatus(status.INTERNAL, 'undecodable replies');
      }
      cancelIfAbandoned();
      call.startRead();
    },
    onReceiveStatus: (outcome) => awaited.end(outcome),
  });
  call.startRead();
  call.sendMessageWithContext({}, encodeRequests(messageOf(batch, 0)));
  call.halfClose();
  batch.forEach((request, index) => awaited.add(index, request, request.deadline < deadline - SLACK_MS));
}
