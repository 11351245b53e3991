/**
 * The baseline of lateness: the engine's schedule in an otherwise idle process. The process is pinned to the engine's core, so its lateness is caused by the
 * machine, the kernel and other processes on that core. Serves GET /figures.
 */
import './with-parent.mts';
import http from 'node:http';
import { listening } from '../listening.mts';
import { Figures } from './percentiles.mts';

const { Pacer } = await import('../../services/engine/dist/media/pacer.js');

const lateness = new Figures();
const pacer = new Pacer({ everyMs: 20, step: () => undefined, late: (ms) => lateness.add(ms) });
const server = http.createServer((_request, response) => {
  response.end(JSON.stringify({ latenessMs: lateness.take() }));
});
process.once('SIGTERM', () => process.exit(0));
listening(server.listen(0, '127.0.0.1'));
pacer.start();
