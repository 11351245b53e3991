/**
 * A value that can be used as any argument: each of its properties and call results is again such a value. Iterated it yields nothing; converted to a string
 * or number it is "x" or 1. Used to run code whose values do not matter, such as functions that build SQL statements.
 */
export const placeholderArgument: unknown = new Proxy(() => undefined, {
  get(_target, name) {
    switch (name) {
      case Symbol.toPrimitive:
        return (hint: string) => (hint === 'string' ? 'x' : 1);
      case Symbol.iterator:
        return () => [][Symbol.iterator]();
      case 'map':
      case 'flatMap':
      case 'filter':
        return () => [];
      case 'then':
        return undefined;
      case 'toJSON':
        return () => 'x';
      case 'length':
      case 'size':
        return 1;
      default:
        return placeholderArgument;
    }
  },
  apply: () => placeholderArgument,
  has: () => true,
});
