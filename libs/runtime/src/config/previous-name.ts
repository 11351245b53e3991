import 'reflect-metadata';

/** The variable that a property was read from before it was renamed, and the version that no longer reads it. */
export interface PreviousName {
  readonly variable: string;
  readonly until: string;
}

/** A variable with a previous name that is still set in an environment. Never contains a value. */
export interface DeprecatedVariable extends PreviousName {
  /** The name to use. */
  readonly replacement: string;
  /** True if the new name is set as well, which takes precedence. */
  readonly ignored: boolean;
}

const key = Symbol('previous name');

/**
 * The property's variable had another name, which works until a version: with a warning in the log at the start (docs/operating.md). Where both
 * are set the new one wins.
 * @param until the version that no longer reads it, such as 0.3.0
 */
export function PreviouslyNamed(variable: string, until: string): PropertyDecorator {
  return (target, property) =>
    Reflect.defineMetadata(key, { variable, until } satisfies PreviousName, target, property);
}

export function previousNameOf(cls: new () => object, property: string): PreviousName | undefined {
  return Reflect.getMetadata(key, cls.prototype as object, property) as PreviousName | undefined;
}
