import type { sendUnaryData, Server, ServerUnaryCall } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import { peerOf } from '../identity/guard';
import type { ClientOrigin } from './call-context';
import { callerTextOf, clientOf, requestIdOf, traceparentOf } from './metadata';
import type { Incoming, ServedMethod } from './served-method';
import { toWire } from './wire-error';

class UnaryIncoming implements Incoming {
  constructor(private readonly call: ServerUnaryCall<Buffer, Buffer>) {}

  get requestId(): string {
    return requestIdOf(this.call.metadata);
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.call.metadata);
  }

  get peer(): string | undefined {
    return peerOf(this.call);
  }

  get callerText(): string | undefined {
    return callerTextOf(this.call.metadata);
  }

  get client(): ClientOrigin | undefined {
    return clientOf(this.call.metadata);
  }

  get cancelled(): boolean {
    return this.call.cancelled;
  }

  onCancelled(listener: () => void): void {
    this.call.once('cancelled', listener);
  }
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** Serves the requests of a method that arrive as individual RPCs. */
export function registerUnary(server: Server, { path, serve }: ServedMethod): void {
  const handle = (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
    serve(call.request, new UnaryIncoming(call), (answer) => {
      const wire = answer instanceof AppError ? toWire(answer) : answer;
      if (Buffer.isBuffer(wire)) callback(null, wire);
      else callback(wire);
    });
  };
  server.register(path, handle, asBytes, asBytes, 'unary');
}
