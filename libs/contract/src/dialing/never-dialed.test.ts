import { neverDialed } from './never-dialed';

const emergency = ['emergency_number'];
const premium = ['premium_rate_number'];
const unreadable = ['unreadable_address'];
const allowed: string[] = [];
const simulator = Array.from({ length: 9 }, (_, n): [string, string[]] => [`+1500555000${n}`, allowed]);

describe('numbers that are never dialed', () => {
  it.each<[string, string[]]>([
    ...simulator,
    ['+14155550100', allowed],
    ['+442079460000', allowed],
    // Unknown to the metadata.
    ['+99912345', allowed],
    ['+6834000', allowed],
    ['+911', emergency],
    ['+112', emergency],
    ['+999', emergency],
    ['+1911', emergency],
    ['+44999', emergency],
    ['+49110', emergency],
    ['+61000', emergency],
    ['+19111234567', emergency],
    ['+449991234567', emergency],
    // Delhi: the number is assigned, although it begins with 112.
    ['+911121234567', allowed],
    ['+19005550123', premium],
    ['+1900555012345', premium],
    ['+1415555010012', allowed],
    ['+449098790000', premium],
    ['+499001234567', premium],
    ['+491805123456', premium],
    ['+33811123456', premium],
    ['+80812345678', premium],
    ['+80012345678', allowed],
    ['+8699123456', allowed],
    ['+870773123456', premium],
    ['+8719123456', allowed],
    ['+878101234567890', premium],
    ['+881612345678', premium],
    ['+88213123456', premium],
    ['+883510012345', premium],
    ['+888123456', premium],
    ['+979123456789', premium],
    ['+44118118', premium],
    ['+44118500', premium],
    ['+441185001', premium],
    // Reading: as long as a geographic number.
    ['+441189561234', allowed],
    ['+33118712', premium],
    ['+33118012345', allowed],
    ['+4911833', premium],
    ['+46118118', premium],
    ['+4611812345', allowed],
    ['+391254', premium],
    ['+38111811', premium],
    // Belgrade.
    ['+381118123456', allowed],
    ['+3871188', premium],
    ['+41181811', premium],
  ])('%s: %j', (number, rules) => {
    expect(neverDialed(number)).toEqual(rules);
  });
});

describe('SIP addresses whose user part is a number that is never dialed', () => {
  it.each<[string, string[]]>([
    ['+19005550123', premium],
    ['19005550123', premium],
    ['+1900555012345', premium],
    ['0019005550123', premium],
    ['01119005550123', premium],
    ['919005550123', premium],
    ['+1-900-555-0123', premium],
    ['+1.900.555.0123', premium],
    ['+1(900)5550123', premium],
    ['%2B19005550123', premium],
    ['%252B19005550123', premium],
    ['%EF%BC%8B1900555012%EF%BC%93', premium],
    ['tel%3A+19005550123', premium],
    ['+1%20900%20555%200123', premium],
    ['+19005550123;phone-context=+1', premium],
    ['9005550123;phone-context=+1', premium],
    ['09001234567;phone-context=+49', premium],
    ['+19005550123;user=phone', premium],
    ['+19005550123;ext=1', premium],
    ['+19005550123,,1', premium],
    ['19005550123x', premium],
    ['+8816123456', premium],
    ['44118118', premium],
    ['911', emergency],
    ['112', emergency],
    ['999', emergency],
    ['000', emergency],
    ['110', emergency],
    ['15', emergency],
    ['411', emergency],
    ['+911', emergency],
    ['+1911', emergency],
    ['1911', emergency],
    ['9911', emergency],
    ['0112', emergency],
    ['49112', emergency],
    ['9110', emergency],
    ['9-1-1', emergency],
    ['%39%31%31', emergency],
    ['911;phone-context=+1', emergency],
    ['911x', emergency],
    ['9115550123', emergency],
    ['911,5550123', emergency],
    ['sos', emergency],
    ['SOS;user=phone', emergency],
    ['sos.police', emergency],
    ['psap', emergency],
    ['e911', emergency],
    ['E-112', emergency],
    ['urn%3Aservice%3Asos', emergency],
    ['urn:service:sos.fire', emergency],
    // More than 15 digits are no number, but networks ignore those after a complete one.
    ['1900555123400000', unreadable],
    ['190055501230000', premium],
    ['900555012300000;phone-context=+1', premium],
    ['01188161234567800000', unreadable],
    ['0044909879000000000', unreadable],
    ['10102889005551234', unreadable],
    ['99011881612345678', unreadable],
    ['0114930123456780000', unreadable],
    ['010330088161234567', unreadable],
    ['1900555123400000x', unreadable],
    ['1415555010000000', unreadable],
    ['141555501000000', allowed],
    ['0000000', unreadable],
    ['+1900flowers', unreadable],
    ['+0019005550123', unreadable],
    ['+1234567890123456', unreadable],
    ['*67911', unreadable],
    ['1+911', unreadable],
    ['%zz911', unreadable],
    ['911%40trunk', unreadable],
    ['%D9%A9%D9%A1%D9%A1', unreadable],
    ['%00', unreadable],
    [';x=1', unreadable],
    ['desk;phone-context=+1', unreadable],
    ['+14155550100', allowed],
    ['14155550100', allowed],
    ['+14155550100;phone-context=+1', allowed],
    ['201', allowed],
    ['4402', allowed],
    ['desk', allowed],
    ['desk-2', allowed],
    ['2nd.floor', allowed],
    ['bob911', allowed],
    ['sosa', allowed],
    ['support-e911', allowed],
    ['emile911', allowed],
  ])('sip:%s@pbx.example: %j', (user, rules) => {
    expect(neverDialed(`sip:${user}@pbx.example`)).toEqual(rules);
    expect(neverDialed(`sip:${user}@pbx.example.:5060`)).toEqual(rules);
  });

  // Prefix and number are written apart here. Prefixes of several countries may fit, so there may be further rules against it.
  const against = (address: string, rules: readonly string[]): readonly string[] =>
    neverDialed(address).filter((rule) => rules.length === 0 || rules.includes(rule));
  it.each<[string, string, string[]]>([
    ['US', '1010288 911', emergency],
    ['US', '9 1010288 911', emergency],
    ['US', '1010321 411', emergency],
    ['US', '1010288 0', emergency],
    ['US', '1010288 5550123', allowed],
    ['DE', '01013 110', emergency],
    ['DE', '010013 112', emergency],
    ['DE', '01033 11833', premium],
    ['DE', '0 01033 112', emergency],
    ['DE', '01033 2345678', allowed],
    ['AT', '1005 0900123456', premium],
    ['AT', '1005 133', emergency],
    ['CH', '10732 0900123456', premium],
    ['ES', '1050 803123456', premium],
    ['ES', '10505 803123456', premium],
    ['IT', '1055 899123456', premium],
    ['IT', '10555 112', emergency],
    ['PL', '1055 701123456', premium],
    ['PT', '1055 760123456', premium],
    ['IE', '13456 1550123456', premium],
    ['AU', '1411 1900123456', premium],
    ['AU', '1411 000', emergency],
    ['HU', '1550 112', emergency],
    ['NO', '1502 82012345', premium],
    ['FR', '1656 0899123456', premium],
    ['NL', '1650 09001234567', premium],
    ['NL', '16505 112', emergency],
    ['SE', '9550 09001234567', premium],
    // Complete numbers as they are, whose first digits only look like a prefix.
    ['US', '1650 9991234', allowed],
    ['US', '1502 8201234', allowed],
    ['US', '1415 5550100', allowed],
    ['US', '1415 1000006', allowed],
    ['FI', '358 1010288911', allowed],
  ])('with the prefix of a carrier in %s, %s: %j', (_country, written, rules) => {
    const dialed = written.replaceAll(' ', '');
    expect(against(`sip:${dialed}@pbx.example`, rules)).toEqual(rules);
  });

  it.each<[string, string[]]>([
    ['+1010288911', emergency],
    ['+11010288911', emergency],
    ['+4901033112', emergency],
    ['+491033112', emergency],
    ['+4901033118 33', premium],
    ['+16509991234', allowed],
    // No prefixes of other countries: the number may be newer than the metadata.
    ['+14151000006', allowed],
    ['+1415120000', allowed],
    ['+15559112', allowed],
  ])('also after a plus sign or a country code: %s: %j', (written, rules) => {
    const number = written.replaceAll(' ', '');
    for (const address of [number, `sip:${number}@pbx.example`]) expect(against(address, rules)).toEqual(rules);
  });

  it.each<[string, string[]]>([
    ['19005550123', premium],
    ['911', emergency],
    ['desk', unreadable],
    ['14155550100', allowed],
  ])('sip:%s@pbx.example;user=phone: %j', (user, rules) => {
    expect(neverDialed(`sip:${user}@pbx.example;user=phone`)).toEqual(rules);
  });

  it.each<[string, string, string[]]>([
    ['09001234567', '+493012345678', premium],
    ['009001234567', '+493012345678', premium],
    ['118118', '+442079460000', premium],
    ['9005550123', '+14155550100', premium],
    ['9005550123', '', allowed],
    ['4155550123', '+14155550100', allowed],
    ['900555012300000', '+14155550100', premium],
    ['0900123456700000', '+493012345678', unreadable],
    ['090012345670000', '+493012345678', premium],
    // Each country has prefixes of its own before an international number.
    ['01019005551234', '+81312345678', premium],
    ['010881612345678', '+81312345678', premium],
    ['01014155550123', '+81312345678', allowed],
    ['81019005551234', '+74951234567', premium],
    ['81019005551234', '+77172123456', premium],
    ['01819005551234', '+6561234567', premium],
    ['002119005551234', '+551123456789', premium],
    ['99019005551234', '+358912345678', premium],
    ['0070019005551234', '+82212345678', unreadable],
    ['00119005550123', '+82212345678', premium],
    ['001119005551234', '+61212345678', premium],
    // No assigned number, but one of a known country.
    ['01019005551234', '+81912345678', premium],
    ['01019005551234', '+493012345678', allowed],
  ])('national digits %s, dialed by %j: %j', (user, own, rules) => {
    expect(neverDialed(`sip:${user}@pbx.example`, own)).toEqual(rules);
  });

  it.each(['tel:+14155550100', 'sip:desk', 'desk@pbx.example', 'sips:desk@pbx.example', '911', '', 'sip:a@b@c'])(
    '%j cannot be read',
    (address) => {
      expect(neverDialed(address)).toEqual(unreadable);
    },
  );
});
