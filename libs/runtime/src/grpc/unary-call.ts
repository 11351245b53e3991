import { Metadata, status, type Channel, type MethodDefinition, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import type { OutgoingContext } from './call-context';
import { outgoingMetadata } from './metadata';
import { rpcName } from './service';
import { ErrorMessage, fromWire } from './wire-error';

/** One try of a call. Rejects with an AppError or a TransportError. */
export type UnaryCall<Request, Response> = (
  request: Request,
  context: OutgoingContext,
  deadline: number,
) => Promise<Response>;

/**
 * A unary call on the channel itself. The library's Client adds interceptors, an event emitter and a stack trace to each
 * call, which together cost as much as this whole wrapper.
 */
export function unaryCall<Request, Response>(
  channel: Channel,
  method: MethodDefinition<Request, Response>,
): UnaryCall<Request, Response> {
  const rpc = rpcName(method.path);
  return (request, context, deadline) =>
    new Promise((resolve, reject) => {
      const { signal } = context;
      if (signal?.aborted) {
        reject(internal(signal.reason, 503));
        return;
      }
      const message = method.requestSerialize(request);
      const call = channel.createCall(method.path, deadline, null, null, null);
      const cancel = () => call.cancelWithStatus(status.CANCELLED, 'given up');
      let answer: Response | ErrorMessage | undefined;
      let unreadable: unknown;
      call.start(outgoingMetadata(context), {
        onReceiveMetadata: () => undefined,
        onReceiveMessage(bytes: Buffer) {
          try {
            answer = ErrorMessage.recognize(bytes) ?? method.responseDeserialize(bytes);
          } catch (error) {
            unreadable = error;
          }
        },
        onReceiveStatus(outcome: StatusObject) {
          signal?.removeEventListener('abort', cancel);
          if (outcome.code !== status.OK) reject(fromWire(rpc, outcome));
          else if (answer instanceof ErrorMessage) reject(answer.error);
          else if (answer !== undefined) resolve(answer);
          else
            reject(fromWire(rpc, { code: status.INTERNAL, details: detailsOf(unreadable), metadata: new Metadata() }));
        },
      });
      call.startRead();
      call.sendMessageWithContext({}, message);
      call.halfClose();
      signal?.addEventListener('abort', cancel, { once: true });
    });
}

const detailsOf = (unreadable: unknown): string =>
  unreadable instanceof Error ? `the answer cannot be read: ${unreadable.message}` : 'no message in the answer';
