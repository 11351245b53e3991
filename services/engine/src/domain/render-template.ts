const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Fills `{{name}}` with the variable's value (decisions section 4). A variable that is absent or null leaves nothing. */
export function renderTemplate(template: string, variables: Readonly<Record<string, unknown>>): string {
  return template.replace(placeholder, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  });
}
