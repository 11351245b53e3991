/**
 * The edge of the floors: express, one gRPC call to the owner process, the answer's bytes as they come. No key, no validation,
 * no log, no metrics. Usage: edge.mts <owner address>
 */
import { credentials } from '@grpc/grpc-js';
import { AgentsServiceClient, AgentRequest, CreateAgentRequest, ListAgentsRequest } from '@parley/proto/agents';
import express from 'express';
import { listening } from '../listening.mts';

const client = new AgentsServiceClient(process.argv[2] ?? '', credentials.createInsecure());
const app = express();
app.disable('x-powered-by');
app.get('/agents/:id', (request, response, next) => {
  const message = AgentRequest.fromPartial({ agentId: request.params.id, organizationId: 'org_bench' });
  client.getAgent(message, (error, resource) => {
    if (error) next(error);
    else response.type('application/json').send(resource.document?.json);
  });
});
app.get('/agents', (_request, response, next) => {
  client.listAgents(ListAgentsRequest.fromPartial({ organizationId: 'org_bench' }), (error, list) => {
    if (error) next(error);
    else response.type('application/json').send(list.document?.json);
  });
});
app.post('/calls', express.json(), (request, response, next) => {
  const json = Buffer.from(JSON.stringify(request.body));
  client.createAgent(
    CreateAgentRequest.fromPartial({ organizationId: 'org_bench', body: { json, schema: 'Call' } }),
    (error, resource) => {
      if (error) next(error);
      else response.status(201).type('application/json').send(resource.document?.json);
    },
  );
});
listening(app.listen(0, '127.0.0.1'));
