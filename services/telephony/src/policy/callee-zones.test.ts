import { calleeZones } from './callee-zones';

describe('quiet hours: the time zones of a number', () => {
  it.each([
    ['+493012345678', ['Europe/Berlin']],
    ['+14155550100', ['America/Los_Angeles']],
    ['+99912345', []],
  ])('%s is in the time zones %j', (to, zones) => {
    expect(calleeZones(to)).toEqual(zones);
  });
});
