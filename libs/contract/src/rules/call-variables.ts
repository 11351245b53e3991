import { fieldErrors, type FieldError, type FieldErrorCode } from '@parley/errors';
import { isOfVariableType, type VariablesConfig } from '../objects/variables';

/**
 * The variables of a call (docs/reference/variables-and-workflows.md): the sent values, and the defaults of those not sent. Values whose names the
 * configuration does not declare are kept unchanged.
 * @throws AppError BadRequestError naming every variable that is required and missing, or has another type than declared
 */
export function callVariables(
  config: VariablesConfig,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = new Map(Object.entries(sent));
  const errors: FieldError[] = [];
  const refuse = (name: string, code: FieldErrorCode, problem: string): void => {
    const path = `variables.${name}`;
    errors.push({ path, code, message: `${path} ${problem}` });
  };
  for (const { name, type, required, default: fallback } of config.variables) {
    const value = values.get(name);
    if (value !== undefined) {
      if (!isOfVariableType(value, type)) refuse(name, 'type', `must be a ${formOf[type]}`);
    } else if (fallback !== undefined) values.set(name, fallback);
    else if (required) refuse(name, 'required', 'is required');
  }
  if (errors.length > 0) throw fieldErrors(errors);
  return Object.fromEntries(values);
}

const formOf = { string: 'string', number: 'number', boolean: 'boolean', date: 'date such as 2026-01-31' } as const;
