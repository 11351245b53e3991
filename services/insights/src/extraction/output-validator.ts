import Ajv, { type ValidateFunction } from 'ajv';
import { outputSchema } from './output.rules';

export type OutputValidator = (output: unknown) => string[];

const kept = 200;
const mostErrors = 20;
const dateForm = /^\d{4}-\d{2}-\d{2}$/;
const isDate = (value: string): boolean =>
  dateForm.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

/** Caches compiled validators by the text of the agent's schema. Schemas have passed `schemaErrors`, so each is evaluated in linear time. */
export class OutputValidators {
  private readonly compiled = new Map<string, OutputValidator>();

  /** @throws Error if the schema does not compile */
  of(own: Readonly<Record<string, unknown>>): OutputValidator {
    const key = JSON.stringify(own);
    const found = this.compiled.get(key) ?? validatorOf(own);
    this.compiled.delete(key);
    this.compiled.set(key, found);
    const oldest = this.compiled.keys().next().value;
    if (this.compiled.size > kept && oldest !== undefined) this.compiled.delete(oldest);
    return found;
  }
}

function validatorOf(own: Readonly<Record<string, unknown>>): OutputValidator {
  const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, logger: false });
  ajv.addFormat('date', isDate);
  ajv.addFormat('date-time', (value) => !Number.isNaN(Date.parse(value)) && isDate(value.slice(0, 10)));
  ajv.addFormat('email', (value) => /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u.test(value));
  const validates: ValidateFunction = ajv.compile(outputSchema(own));
  return (output) => {
    if (validates(output)) return [];
    const errors = validates.errors ?? [];
    return errors.slice(0, mostErrors).map(({ instancePath, message = '' }) => `${instancePath} ${message}`.trim());
  };
}
