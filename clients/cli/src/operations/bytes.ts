import { writeFile } from 'node:fs/promises';

const extensions: Readonly<Record<string, string>> = {
  'audio/wav': '.wav',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
};

/** Writes content that is not JSON into a file. Adds an extension if the name has none. @returns the name of the file */
export async function keepBytes(bytes: Blob, name: string): Promise<string> {
  const [type = ''] = bytes.type.split(';');
  const file = /\.\w+$/.test(name) ? name : `${name}${extensions[type] ?? '.bin'}`;
  await writeFile(file, new Uint8Array(await bytes.arrayBuffer()));
  return file;
}
