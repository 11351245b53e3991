import { Client, Metadata, status, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import { PublicServiceService } from '@parley/proto/public';
import { requestOf } from './public-requests';

/** Why a call was not served: the status of the error that the server sent, or no connection. */
export type Refusal = { readonly status: number } | { readonly transport: true };

const { handlePublic, streamPublic } = PublicServiceService;
const bytes = (one: Buffer): Buffer => one;

/** A client that uses only the gRPC library and sends the caller text of the test unchanged. */
export class RawPeer {
  private readonly client: Client;

  constructor(port: number, credentials: ChannelCredentials) {
    this.client = new Client(`127.0.0.1:${port}`, credentials, {
      'grpc.ssl_target_name_override': 'auth.parley.internal',
      // A separate connection, because other clients use other certificates.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  close(): void {
    this.client.close();
  }

  /** Resolves when the call was served. @throws AppError of the server, or the library's error */
  call(path: string, caller: string | undefined): Promise<void> {
    const isPublic = path === handlePublic.path || path === streamPublic.path;
    return isPublic ? this.public(path, caller) : this.unary(path, caller);
  }

  async refusal(path: string, caller: string | undefined): Promise<Refusal> {
    try {
      await this.call(path, caller);
    } catch (error) {
      if (error instanceof AppError) return { status: error.status };
      if ((error as ServiceError).code === status.UNAVAILABLE) return { transport: true };
      throw error;
    }
    throw new Error('the call was served');
  }

  private unary(path: string, caller: string | undefined): Promise<void> {
    const metadata = new Metadata();
    if (caller !== undefined) metadata.set('x-parley-caller', caller);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), metadata, deadline(), (error, answer) => {
        if (error === null && answer !== undefined) resolve();
        else reject(sentBy(error) ?? (error as Error));
      });
    });
  }

  private async public(path: string, caller: string | undefined): Promise<void> {
    const { requestSerialize, responseDeserialize } = handlePublic;
    const request = {
      ...requestOf(''),
      caller: 1,
      requestId: 'r',
      traceparent: '',
      timeoutMs: 30_000,
      clientAddress: '',
      userAgent: '',
    };
    const message = { requests: [request], callers: caller === undefined ? [] : [caller], first: 0, cancelled: [] };
    const stream = this.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, deadline());
    stream.end(message);
    for await (const { replies } of stream) {
      for (const { outcome } of replies as { outcome?: { $case: string; value: Buffer } }[]) {
        if (outcome?.$case === 'error') throw AppError.fromData(JSON.parse(outcome.value.toString())) as AppError;
      }
    }
  }
}

const deadline = () => ({ deadline: Date.now() + 30_000 });

function sentBy(error: ServiceError | null): AppError | undefined {
  const data = error?.metadata?.get('parley-error-bin')[0];
  return Buffer.isBuffer(data) ? AppError.fromData(JSON.parse(data.toString())) : undefined;
}
