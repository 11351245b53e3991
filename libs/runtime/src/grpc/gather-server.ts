import { status, type Server, type ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import {
  GatherServiceService,
  type GatheredAnswer,
  type GatheredRequest,
  type GatherRequest,
  type GatherResponse,
} from '@parley/proto/gather';
import type { Caller } from './call-context';
import { MAX_MESSAGE_BYTES } from './limits';
import { readCaller, readRequestId, readTraceparent } from './metadata';
import type { Incoming, ServedMethod } from './served-method';
import { dataOf } from './wire-error';

type GatherCall = ServerWritableStream<GatherRequest, GatherResponse>;

/** What an answer is at most larger than its outcome: its place, tags and lengths. */
const FRAME_BYTES = 32;

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
  // Each request may listen for the end.
  call.setMaxListeners(0);
  let answers: GatheredAnswer[] = [];
  let open = requests.length;
  const send = () => {
    if (!call.cancelled) for (const portion of portionsOf(answers)) call.write({ answers: portion });
    answers = [];
    if (open === 0) call.end();
  };
  requests.forEach((request, place) => {
    method.serve(request.message, new GatheredIncoming(request, callers, call), (answer) => {
      open -= 1;
      // Whatever else is answered in this moment goes along.
      if (answers.length === 0) setImmediate(send);
      answers.push({ place, outcome: outcomeOf(answer) });
    });
  });
  if (open === 0) call.end();
}

/** None where it is larger than any message: alone it would not arrive either. */
function outcomeOf(answer: Buffer | AppError): GatheredAnswer['outcome'] {
  const value = answer instanceof AppError ? dataOf(answer) : answer;
  if (value.length > MAX_MESSAGE_BYTES - FRAME_BYTES) return undefined;
  return { $case: answer instanceof AppError ? 'error' : 'message', value };
}

/** As many as a message holds in each. */
function* portionsOf(answers: readonly GatheredAnswer[]): Generator<GatheredAnswer[]> {
  let portion: GatheredAnswer[] = [];
  let bytes = 0;
  for (const answer of answers) {
    const more = FRAME_BYTES + (answer.outcome?.value.length ?? 0);
    if (bytes + more > MAX_MESSAGE_BYTES) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(answer);
    bytes += more;
  }
  yield portion;
}

class GatheredIncoming implements Incoming {
  constructor(
    private readonly request: GatheredRequest,
    private readonly callers: readonly string[],
    private readonly call: GatherCall,
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
    return this.call.cancelled;
  }

  onCancelled(listener: () => void): void {
    this.call.once('cancelled', listener);
  }
}
