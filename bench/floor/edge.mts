/**
 * The HTTP side of the floors (minimal implementations to compare with): express, one gRPC call to the owner process, and its response unchanged. No keys,
 * validation, logs or metrics. Usage: edge.mts <owner address>
 */
import { Client, credentials } from '@grpc/grpc-js';
import { PublicRequest, type PublicAnswer } from '@parley/proto/public';
import express, { type NextFunction, type Response } from 'express';
import { listening } from '../listening.mts';
import { handle } from './service.mts';

const client = new Client(process.argv[2] ?? '', credentials.createInsecure());
const app = express();
app.disable('x-powered-by');

function forward(request: Partial<PublicRequest>, status: number, response: Response, next: NextFunction): void {
  const message = PublicRequest.fromPartial({ organizationId: 'org_bench', ...request });
  const { path, requestSerialize, responseDeserialize } = handle;
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error, answer?: PublicAnswer) => {
    if (error) next(error);
    else response.status(status).type('application/json').send(answer?.body);
  });
}

app.get('/agents/:id', (request, response, next) =>
  forward({ route: 'get-agent', path: [request.params.id] }, 200, response, next),
);
app.get('/agents', (_request, response, next) => forward({ route: 'list-agents' }, 200, response, next));
app.post('/calls', express.json(), (request, response, next) =>
  forward({ route: 'create-call', body: Buffer.from(JSON.stringify(request.body)) }, 201, response, next),
);
listening(app.listen(0, '127.0.0.1'));
