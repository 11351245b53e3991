import type { ConnectionAction } from '@parley/contract';
import { invalidField } from '@parley/errors';
import { checkAddress, type AddressPolicy } from '@parley/service';
import { checkParameters } from '../agents';

interface Checked {
  readonly base_url?: string | undefined;
  readonly actions?: readonly ConnectionAction[] | undefined;
}

/**
 * Checks the address by the rules of endpoint addresses, and that the parameter schema of each action declares all its path parameters. @throws AppError
 * BadRequestError
 */
export function checkConnection(policy: AddressPolicy, { base_url: address, actions = [] }: Checked): void {
  if (address !== undefined) {
    checkAddress(address, 'http', 'base_url', policy);
    if (/[?#]|\/$/.test(address.replace(/^[a-z]+:\/\//i, ''))) {
      throw invalidField('base_url', 'format', 'must not have a query, a fragment or a slash at the end');
    }
  }
  for (const [index, { path, parameters }] of actions.entries()) {
    const field = `actions[${index}]`;
    // The path must not lead to another host or to a parent folder: it is appended to base_url as it is.
    const [, first, ...further] = path.split('/');
    if ((first === '' && further.length > 0) || [first, ...further].some((segment) => isDots(segment ?? '')))
      throw invalidField(`${field}.path`, 'format', 'must not begin with "//" or contain the segments "." or ".."');
    checkParameters(parameters, `${field}.parameters`);
    const { properties } = parameters;
    const declared = typeof properties === 'object' && properties !== null ? properties : {};
    const rest = path.replaceAll(/\{[A-Za-z0-9_-]{1,64}\}/g, '');
    if (/[{}]/.test(rest)) throw invalidField(`${field}.path`, 'format', 'has a brace without a parameter');
    for (const [, name = ''] of path.matchAll(/\{([A-Za-z0-9_-]+)\}/g)) {
      if (!Object.hasOwn(declared, name))
        throw invalidField(`${field}.path`, 'not_allowed', `uses ${name}, which is not declared in parameters`);
    }
  }
}

/** Whether a segment is "." or "..", also if percent-encoded. */
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);
