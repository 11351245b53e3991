import { controlInputOf } from './control-input';

describe('the commands about a transfer', () => {
  it.each([
    ['transferring', { transfer_id: 'trf_1', seconds: 90 }, { type: 'control_transferring', ms: 90_000 }],
    ['transferring', { transfer_id: 'trf_1', seconds: 0 }, { type: 'control_transferring', ms: 0 }],
    ['transfer', { transfer_id: 'trf_1' }, { type: 'control_transferred' }],
    ['unknown', {}, undefined],
  ])('%s %j becomes an input of the core', (type, fields, input) => {
    expect(controlInputOf(type, fields)).toEqual(input);
  });
});
