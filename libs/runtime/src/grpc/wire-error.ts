import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, internal } from '@parley/errors';

/** The trailer in which an AppError crosses; one that is too big for a trailer goes in the place of the message. */
const TRAILER = 'parley-error-bin';
const TRAILER_LIMIT = 4096;

/** No protobuf message starts with a zero byte (there is no field 0), so this marks an error in a message's place. */
const ERROR_MARK = 0;

/** An answer that is an error too big for the trailers, such as a conflict that carries the winning document. */
export class ErrorMessage {
  constructor(readonly error: AppError) {}

  serialize(): Buffer {
    return Buffer.concat([Buffer.from([ERROR_MARK]), Buffer.from(JSON.stringify(this.error.toData()))]);
  }

  static recognize(bytes: Buffer): ErrorMessage | undefined {
    if (bytes.length === 0 || bytes[0] !== ERROR_MARK) return undefined;
    return new ErrorMessage(parse(bytes.subarray(1)) ?? internal(new Error('an error that cannot be read')));
  }
}

/** The failed status for an error that fits into trailers, the message in its place otherwise. */
export function toWire(error: AppError): Partial<ServiceError> | ErrorMessage {
  const data = Buffer.from(JSON.stringify(error.toData()));
  if (data.length > TRAILER_LIMIT) return new ErrorMessage(error);
  const metadata = new Metadata();
  metadata.set(TRAILER, data);
  return { code: grpcStatusOf(error), details: error.code, metadata };
}

/** True where the other side did not answer at all: the request may not have been executed, and no AppError came back. */
export function isUnavailable(error: ServiceError): boolean {
  if (error.metadata?.get(TRAILER)[0] !== undefined) return false;
  return (
    error.code === status.UNAVAILABLE ||
    (error.code === status.INTERNAL && error.details.startsWith('Received RST_STREAM'))
  );
}

/** The AppError that the other side threw; `internal_error` 503 or 504 where none arrived, with the cause for the log. */
export function fromWire(error: ServiceError): AppError {
  const trailer = error.metadata?.get(TRAILER)[0];
  if (Buffer.isBuffer(trailer)) {
    const rebuilt = parse(trailer);
    if (rebuilt !== undefined) return rebuilt;
  }
  if (error.code === status.DEADLINE_EXCEEDED) return internal(error, 504);
  if (error.code === status.CANCELLED || isUnavailable(error)) return internal(error, 503);
  return internal(error);
}

function parse(bytes: Buffer): AppError | undefined {
  try {
    return AppError.fromData(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** For people and meters that read gRPC statuses; our own clients read the AppError. */
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
