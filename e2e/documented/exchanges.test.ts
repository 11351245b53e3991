import { proofsOf, requestExample } from './exchanges';

const success = { status: 200, contentType: 'application/json', sent: undefined };

describe('what an exchange proves', () => {
  it('about a list whose entries are records or summaries: each entry is compared with the example of the record', () => {
    const received = { data: [{ agent_id: 'agt_01arz3ndektsv4rrffq69g5fav', status: 'active' }], next_cursor: null };
    expect(proofsOf({ method: 'GET', path: '/v1/agents?limit=1', ...success, received })).toEqual([
      {
        operation: 'GET /v1/agents',
        success: '200 application/json',
        differences: [],
        compared: ['.data[].agent_id', '.data[].status'],
      },
    ]);
    const wrong = { data: [{ agent_id: 'call_01arz3ndektsv4rrffq69g5fav' }] };
    expect(proofsOf({ method: 'GET', path: '/v1/agents', ...success, received: wrong })).toMatchObject([
      { differences: ['.data[].agent_id: agt_ in the example, call_ received'] },
    ]);
  });

  it('about the form of a carrier', () => {
    const sent = { ...requestExample('POST', '/v1/carriers/{provider}/messages'), To: '+14155550199' };
    const path = '/v1/carriers/simulator/messages';
    const exchange = { method: 'POST', path, sent, status: 200, contentType: undefined, received: '' };
    expect(proofsOf(exchange)).toEqual([{ operation: 'POST /v1/carriers/{provider}/messages', request: 0 }]);
  });

  it('about an error: nothing', () => {
    expect(proofsOf({ method: 'GET', path: '/v1/agents', ...success, status: 404, received: {} })).toEqual([]);
  });
});
