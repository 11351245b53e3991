import { calleeZones } from './callee-zones';

describe('quiet hours: the time zones of a number', () => {
  it.each([
    ['+493012345678', ['Europe/Berlin']],
    ['+14155550100', ['America/Los_Angeles']],
    ['+99912345', []],
    // A landline of Brisbane and of the Canary Islands, and mobile numbers of their countries.
    ['+61732345678', ['Australia/Brisbane']],
    ['+34922123456', ['Atlantic/Canary']],
    ['+34612345678', ['Atlantic/Canary', 'Europe/Madrid']],
    ['+351912345678', ['Atlantic/Azores', 'Europe/Lisbon']],
    ['+491701234567', ['Europe/Berlin']],
  ])('%s is in the time zones %j', (to, zones) => {
    expect(calleeZones(to)).toEqual(zones);
  });

  it.each([
    ['+61412345678', 'Australia/Perth'],
    ['+79241234567', 'Asia/Kamchatka'],
    ['+5511961234567', 'America/Rio_Branco'],
    ['+525512345678', 'America/Tijuana'],
    ['+18005550100', 'Pacific/Honolulu'],
  ])('%s may be in any zone of its country, such as %s', (to, zone) => {
    expect(calleeZones(to)).toContain(zone);
  });
});
