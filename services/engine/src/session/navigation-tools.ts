import type { ModelTool } from '@parley/providers';

const none = { type: 'object', properties: {}, additionalProperties: false };

/** The tools for navigating phone menus. The core runs them. */
const definitions: Readonly<Record<string, Omit<ModelTool, 'name'>>> = {
  press_digits: {
    description: 'Presses keys of the telephone, for a phone menu that asks for them.',
    parameters: {
      type: 'object',
      properties: {
        digits: { type: 'string', pattern: '^[0-9*#]{1,32}$', description: 'One or more of 0-9, * and #.' },
      },
      required: ['digits'],
      additionalProperties: false,
    },
  },
  wait_on_hold: { description: 'Waits silently while the call is in a queue or on hold.', parameters: none },
  abandon_navigation: { description: 'Ends the call: the menu leads to no person.', parameters: none },
};

export const navigationTools = (names: readonly string[]): ModelTool[] =>
  names.flatMap((name) => {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return definition === undefined ? [] : [{ name, ...definition }];
  });
