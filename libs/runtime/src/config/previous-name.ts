import 'reflect-metadata';

/** The variable from which a property was read before it was renamed, and the version that no longer reads it. */
export interface PreviousName {
  readonly variable: string;
  readonly until: string;
}

/** A variable with a previous name that is still set in an environment. Never contains its value. */
export interface DeprecatedVariable extends PreviousName {
  /** The name to use instead. */
  readonly replacement: string;
  /** Whether the new name is set as well and therefore takes precedence. */
  readonly ignored: boolean;
}

const key = Symbol('previous name');

/**
 * Declares that the property's variable had another name, which still works until a given version, with a warning in the log at startup (docs/operating.md). If
 * both are set, the new one takes precedence.
 * @param until the version that no longer reads it, such as 0.3.0
 */
export function PreviouslyNamed(variable: string, until: string): PropertyDecorator {
  return (target, property) =>
    Reflect.defineMetadata(key, { variable, until } satisfies PreviousName, target, property);
}

export function previousNameOf(cls: new () => object, property: string): PreviousName | undefined {
  return Reflect.getMetadata(key, cls.prototype as object, property) as PreviousName | undefined;
}
