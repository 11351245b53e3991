import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { AppError, internal } from '@parley/errors';

/** The trailer that contains an AppError. An error that is too large for a trailer is sent in place of the response message. */
const TRAILER = 'parley-error-bin';
const TRAILER_LIMIT = 4096;

/** The first byte of an error that is sent in place of a message. No protobuf message starts with a zero byte, because there is no field 0. */
const ERROR_MARK = 0;

/** An error as JSON. */
export const dataOf = (error: AppError): Buffer => Buffer.from(JSON.stringify(error.toData()));

/** Parses an error from JSON. */
export const errorOf = (data: Buffer): AppError => parse(data) ?? internal(new Error('an undecodable error'));

/**
 * Reads an error that was sent in place of a message because it was too large for the trailers, such as a conflict that contains the current document.
 * Undefined for a regular message.
 */
export function errorInPlaceOf(message: Buffer): AppError | undefined {
  return message[0] === ERROR_MARK ? errorOf(message.subarray(1)) : undefined;
}

/** The error of a call that ended with OK but without a message. */
export const withoutAnswer = (rpc: string): TransportError =>
  new TransportError(rpc, { code: status.INTERNAL, details: 'no message in the response', metadata: new Metadata() });

/** The failed status if the error fits into the trailers; otherwise the message to send in place of the response. */
export function toWire(error: AppError): Partial<ServiceError> | Buffer {
  const data = dataOf(error);
  if (data.length > TRAILER_LIMIT) return Buffer.concat([Buffer.from([ERROR_MARK]), data]);
  const metadata = new Metadata();
  metadata.set(TRAILER, data);
  return { code: grpcStatusOf(error), details: error.code, metadata };
}

/** A call that ended without a response from the server's handler. It becomes the cause of an `internal_error`. */
export class TransportError extends Error {
  constructor(
    readonly rpc: string,
    readonly status: StatusObject,
  ) {
    super(`${rpc}: ${status.code} ${status.details}`);
    this.name = 'TransportError';
  }

  /** Whether the server was unavailable or disconnected, so that it is unknown whether the request was executed. */
  get unavailable(): boolean {
    const { code, details } = this.status;
    return code === status.UNAVAILABLE || (code === status.INTERNAL && details.startsWith('Received RST_STREAM'));
  }

  /** `internal_error` with 504 for a deadline, 503 for an unavailable server or a canceled call, otherwise 500. */
  toAppError(): AppError {
    if (this.status.code === status.DEADLINE_EXCEEDED) return internal(this, 504);
    return internal(this, this.unavailable || this.status.code === status.CANCELLED ? 503 : 500);
  }
}

/** The error of a call without a response message: the server's AppError if it sent one, otherwise a TransportError. */
export function fromWire(rpc: string, outcome: StatusObject): AppError | TransportError {
  const trailer = outcome.metadata.get(TRAILER)[0];
  const rebuilt = Buffer.isBuffer(trailer) ? parse(trailer) : undefined;
  return rebuilt ?? new TransportError(rpc, outcome);
}

function parse(bytes: Buffer): AppError | undefined {
  try {
    return AppError.fromData(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The gRPC status of an error, for tools and metrics that read it; our own clients read the AppError. */
function grpcStatusOf(error: AppError): status {
  switch (error.status) {
    case 400:
    case 422:
      return status.INVALID_ARGUMENT;
    case 401:
      return status.UNAUTHENTICATED;
    case 403:
      return status.PERMISSION_DENIED;
    case 404:
      return status.NOT_FOUND;
    case 409:
      return status.ABORTED;
    case 402:
    case 423:
      return status.FAILED_PRECONDITION;
    case 429:
      return status.RESOURCE_EXHAUSTED;
    case 503:
      return status.UNAVAILABLE;
    case 504:
      return status.DEADLINE_EXCEEDED;
    default:
      return status.INTERNAL;
  }
}
