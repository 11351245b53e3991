/** For workerd: a worker that runs the program for a request with its input. */
import { program } from './program.mjs';

export default {
  fetch: async (request) =>
    program(await request.json()).then(
      (done) => Response.json(done),
      (error) => new Response(String(error?.stack ?? error), { status: 500 }),
    ),
};
