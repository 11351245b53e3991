import type { sendUnaryData, Server, ServerUnaryCall } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import type { Caller } from './call-context';
import { callerOf, requestIdOf, traceparentOf } from './metadata';
import type { ServedMethod } from './service';
import { toWire } from './wire-error';

/** What comes beside a request, each read when it is asked for. */
export interface Incoming {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly caller: Caller | undefined;
  /** Whether the caller's deadline is over or the caller gave up. */
  readonly cancelled: boolean;
  /** The end of an answered call may be reported here, too. */
  onCancelled(listener: () => void): void;
}

class UnaryIncoming implements Incoming {
  constructor(private readonly call: ServerUnaryCall<Buffer, Buffer>) {}

  get requestId(): string {
    return requestIdOf(this.call.metadata);
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.call.metadata);
  }

  get caller(): Caller | undefined {
    return callerOf(this.call.metadata);
  }

  get cancelled(): boolean {
    return this.call.cancelled;
  }

  onCancelled(listener: () => void): void {
    this.call.once('cancelled', listener);
  }
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** Serves the method's requests that come each as an RPC. */
export function registerUnary(server: Server, { path, serve }: ServedMethod): void {
  const handle = (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
    void serve(call.request, new UnaryIncoming(call)).then((outcome) => {
      const wire = outcome instanceof AppError ? toWire(outcome) : outcome;
      if (Buffer.isBuffer(wire)) callback(null, wire);
      else if ('serialize' in wire) callback(null, wire.serialize());
      else callback(wire);
    });
  };
  server.register(path, handle, asBytes, asBytes, 'unary');
}
