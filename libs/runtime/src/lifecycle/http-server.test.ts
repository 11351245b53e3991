import { pathWithoutSecrets, shownPath } from './http-server';

const token = `dmo_${'aB3-_'.repeat(8)}xyz`;
const key = `tai_${'aB3'.repeat(12)}`;

describe('pathWithoutSecrets', () => {
  it.each([
    [`/chat/${token}/sessions`, '/chat/…'],
    [`//chat/${token}`, '/chat/…'],
    [`/CHAT/%64mo_${token.slice(4)}`, '/CHAT/…'],
    [`/demo/${token}`, '/demo/…'],
    [`/somewhere/${token}/calls`, '/somewhere/dmo_…/calls'],
    [`/v1/api-keys/${key}`, '/v1/api-keys/tai_…'],
    ['/chat/page.css', '/chat/page.css'],
    ['/v1/calls/call_01h455vb4pex5vsknk084sn02q', '/v1/calls/call_01h455vb4pex5vsknk084sn02q'],
  ])('%s is shown as %s', (path, shown) => {
    expect(pathWithoutSecrets(path)).toBe(shown);
  });
});

describe('shownPath', () => {
  const words = new Set(['v1', 'calls', 'live']);
  it.each([
    ['/v1/calls/call_01h455vb4pex5vsknk084sn02q/live', '/v1/calls/call_01h455vb4pex5vsknk084sn02q/live'],
    ['/v1/calls/3', '/v1/calls/3'],
    ['/v1/calls/secret', '/v1/calls/…'],
    ['/v1/calls/12345', '/v1/calls/…'],
    [`/v1/calls/${key}/live`, '/v1/calls/…/live'],
    ['/v1/calls/call_01h455vb4pex5vsknk084sn02qx', '/v1/calls/…'],
    [`/chat/${token}`, '/…/…'],
    ['//v1', '//v1'],
    ['*', '…'],
  ])('%s is shown as %s', (path, shown) => {
    expect(shownPath(path, words)).toBe(shown);
  });
});
