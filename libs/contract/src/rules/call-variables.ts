import { badRequest } from '@parley/errors';
import { isOfVariableType, type VariablesConfig } from '../objects/variables';

/**
 * The variables that a call carries (decisions section 4): what was sent, with the defaults of what was not. Names that the
 * configuration does not declare are kept as they are.
 * @throws AppError BadRequestError naming the variable that is required and missing, or of another type than declared
 */
export function callVariables(
  config: VariablesConfig,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = new Map(Object.entries(sent));
  for (const { name, type, required, default: fallback } of config.variables) {
    const value = values.get(name);
    if (value !== undefined) {
      if (!isOfVariableType(value, type)) throw badRequest(`variables.${name} must be a ${formOf[type]}`);
    } else if (fallback !== undefined) values.set(name, fallback);
    else if (required) throw badRequest(`variables.${name} is required`);
  }
  return Object.fromEntries(values);
}

const formOf = { string: 'string', number: 'number', boolean: 'boolean', date: 'date such as 2026-01-31' } as const;
