/**
 * The baseline of lateness: the engine's schedule in a process that does nothing else. Pinned to the engine's core it is late by
 * what the machine, the kernel and the neighbours on that core cost. Answers GET /figures.
 */
import './with-parent.mts';
import http from 'node:http';
import { listening } from '../listening.mts';
import { Pacer } from './pacer.mts';

const pacer = new Pacer(20, () => undefined);
const server = http.createServer((_request, response) => {
  response.end(JSON.stringify({ latenessMs: pacer.lateness.take() }));
});
process.once('SIGTERM', () => process.exit(0));
listening(server.listen(0, '127.0.0.1'));
pacer.start();
