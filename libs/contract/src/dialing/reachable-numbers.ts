import parsePhoneNumber from 'libphonenumber-js/max';
import { dialedAddress, remembered } from './dialed-address';

/** Networks ignore digits after a complete number, so a number with up to this many extra digits must be recognized. */
export const mostExtraDigits = 6;

/**
 * The numbers that an address may reach, for the suppression list: as written, in each reading, without the digit for calls inside the country, without its
 * last digits if the rest is a complete number, and without a prefix that selects a carrier. No number that is assigned begins with another one, so this concerns no other subscriber.
 * @param own the number that dials, in E.164 form, if it is known
 */
export const reachableNumbers = remembered((address, own): readonly string[] => {
  const reached = new Set([address]);
  const read = dialedAddress(address, own);
  const dialed = read === undefined ? [] : [read, ...read.behind];
  for (const number of dialed.flatMap(({ numbers }) => numbers)) {
    reached.add(number).add(parsePhoneNumber(number)?.number ?? number);
    for (let extra = 1; extra <= mostExtraDigits; extra += 1) {
      const shorter = parsePhoneNumber(number.slice(0, -extra));
      if (shorter?.isValid() === true) reached.add(shorter.number);
    }
  }
  return [...reached];
});
