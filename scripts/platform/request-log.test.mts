import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readable } from './request-log.mts';

const line = (fields: object): string =>
  JSON.stringify({ time: '2026-01-02T03:04:05.678Z', service: 'gateway', ...fields });

await test('a request is one line: time, method, path, status, milliseconds, id', () => {
  const request = {
    level: 'info',
    msg: 'request',
    method: 'POST',
    path: '/v1/calls',
    status: 201,
    ms: 33.6,
    request_id: 'r1',
  };
  assert.equal(readable(line(request), 'gateway-0'), '03:04:05.678 POST /v1/calls 201 34 ms r1');
});

await test('other news are for the log file', () => {
  assert.equal(readable(line({ level: 'info', msg: 'ready' }), 'auth-0'), undefined);
  assert.equal(readable('', 'auth-0'), undefined);
});

await test('warnings and errors are shown with their cause', () => {
  const shown = readable(line({ level: 'error', msg: 'relay failed', err: { message: 'no stream' } }), 'telephony-0');
  assert.equal(shown, '03:04:05.678 telephony-0 error: relay failed (no stream)');
});

await test('lines that are not JSON are shown, because they come from a crash', () => {
  assert.match(readable('Error: boom', 'auth-0') ?? '', /auth-0: Error: boom$/);
});

await test('polls of the engine are shown only when they fail', () => {
  const poll = { level: 'info', msg: 'request', method: 'POST', path: '/v1/worker-jobs/claim', ms: 5000 };
  assert.equal(readable(line({ ...poll, status: 200 }), 'gateway-0'), undefined);
  assert.match(readable(line({ ...poll, status: 401 }), 'gateway-0') ?? '', / 401 /);
});
