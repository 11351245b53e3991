import { status, type Server, type ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import { GatherServiceService, type GatheredAnswer, type GatheredRequest, type GatherRequest, type GatherResponse } from '@parley/proto/gather';
import type { Caller } from './call-context';
import type { Incoming } from './incoming';
import { readCaller, readRequestId, readTraceparent } from './metadata';
import type { ServedMethod } from './service';

type GatherCall = ServerWritableStream<GatherRequest, GatherResponse>;

/** Serves requests of one method that come in one message, each as if it had come alone; answers leave as they are there. */
export function registerGather(server: Server, methods: readonly ServedMethod[]): void {
  const served = new Map(methods.map((method) => [method.path, method]));
  const { path, requestDeserialize, responseSerialize } = GatherServiceService.gather;
  const handle = (call: GatherCall) => {
    const method = served.get(call.request.path);
    if (method === undefined) call.emit('error', { code: status.UNIMPLEMENTED, details: 'unknown method' });
    else serveAll(call, method);
  };
  server.register(path, handle, responseSerialize, requestDeserialize, 'serverStream');
}

function serveAll(call: GatherCall, method: ServedMethod): void {
  const { requests, callers } = call.request;
  const departure = new Departure(call);
  let answers: GatheredAnswer[] = [];
  let open = requests.length;
  const send = () => {
    if (!call.cancelled) call.write({ answers });
    answers = [];
    if (open === 0) call.end();
  };
  requests.forEach((request, place) => {
    void method.serve(request.message, new GatheredIncoming(request, callers, departure)).then((outcome) => {
      open -= 1;
      // Whatever else is answered in this moment goes along.
      if (answers.length === 0) setImmediate(send);
      answers.push({ place, outcome: outcomeOf(outcome) });
    });
  });
  if (open === 0) call.end();
}

const outcomeOf = (outcome: Buffer | AppError): GatheredAnswer['outcome'] =>
  outcome instanceof AppError
    ? { $case: 'error', value: Buffer.from(JSON.stringify(outcome.toData())) }
    : { $case: 'message', value: outcome };

/** One listener on the call for all of its requests. */
class Departure {
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly call: GatherCall) {
    call.once('cancelled', () => {
      for (const listener of this.listeners) listener();
    });
  }

  get over(): boolean {
    return this.call.cancelled;
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
}

class GatheredIncoming implements Incoming {
  constructor(
    private readonly request: GatheredRequest,
    private readonly callers: readonly string[],
    private readonly departure: Departure,
  ) {}

  get requestId(): string {
    return readRequestId(this.request.requestId);
  }

  get traceparent(): string | undefined {
    return readTraceparent(this.request.traceparent);
  }

  get caller(): Caller | undefined {
    return readCaller(this.callers[this.request.caller - 1]);
  }

  get cancelled(): boolean {
    return this.departure.over;
  }

  onCancelled(listener: () => void): void {
    this.departure.listen(listener);
  }
}
