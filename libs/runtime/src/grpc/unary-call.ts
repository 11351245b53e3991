import { status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import { metadataOf, type CallMetadata } from './metadata';
import { rpcName } from './service';
import { errorInPlaceOf, fromWire, withoutAnswer } from './wire-error';

/** An outgoing request. */
export interface Outgoing {
  /** The serialized request. */
  readonly message: Buffer;
  readonly particulars: CallMetadata;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once. Resolves with the serialized response; rejects with an AppError or a TransportError. */
export type Send = (outgoing: Outgoing) => Promise<Buffer>;

/**
 * A unary call made directly on the channel. The library's Client adds interceptors, an event emitter and a stack trace to each call, which together cost as
 * much as this whole wrapper.
 */
export function unaryCall(channel: Channel, path: string): Send {
  const rpc = rpcName(path);
  return ({ message, particulars, deadline, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(internal(signal.reason, 503));
        return;
      }
      const call = channel.createCall(path, deadline, null, null, null);
      const cancel = () => call.cancelWithStatus(status.CANCELLED, 'given up');
      let answer: Buffer | undefined;
      call.start(metadataOf(particulars), {
        onReceiveMetadata: () => undefined,
        onReceiveMessage(bytes: Buffer) {
          answer = bytes;
        },
        onReceiveStatus(outcome: StatusObject) {
          signal?.removeEventListener('abort', cancel);
          const failure = outcome.code === status.OK ? answer && errorInPlaceOf(answer) : fromWire(rpc, outcome);
          if (failure !== undefined) reject(failure);
          else if (answer !== undefined) resolve(answer);
          else reject(withoutAnswer(rpc));
        },
      });
      call.startRead();
      call.sendMessageWithContext({}, message);
      call.halfClose();
      signal?.addEventListener('abort', cancel, { once: true });
    });
}
