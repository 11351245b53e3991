/** Floor 0: express with a constant JSON body. Measures the cost of HTTP alone on this machine. */
import express from 'express';
import { listening } from '../listening.mts';

const app = express();
app.disable('x-powered-by');
app.get('/agents/:id', (request, response) => {
  response.json({ agent_id: request.params.id, name: 'bench' });
});
listening(app.listen(0, '127.0.0.1'));
