import en from './en.json';

export type TextKey = keyof typeof en;

const texts: Readonly<Record<string, string>> = en;

/** A text by its name, with its places filled. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The text for a value of the platform; the value itself if a newer platform added it. */
export function word(group: string, value: string): string {
  return texts[`${group}.${value}`] ?? value.replaceAll('_', ' ');
}
