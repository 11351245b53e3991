import { registerDecorator, type ValidationArguments, type ValidationOptions } from 'class-validator';

function errorOf(read: (text: string) => unknown, value: unknown): string | undefined {
  try {
    read(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Declares a setting valid if `read` accepts it. The message of an error that `read` throws is shown, so it must not contain a secret. */
export function Readable(read: (text: string) => unknown, options?: ValidationOptions): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: {
        validate: (value: unknown) => errorOf(read, value) === undefined,
        defaultMessage: (args?: ValidationArguments) => errorOf(read, args?.value) ?? '',
      },
    });
  };
}
