import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../failure.js';
import { agentFileOf } from './files.js';

const sample = `---
# yaml-language-server: $schema=../schemas/agent.schema.json
name: Reception
languages: [en]
first_message: Good morning, how can I help?
---

You are the receptionist of a dental practice. Answer in one or two sentences.
`;

const environments = `# yaml-language-server: $schema=schemas/parley.schema.json
# What --env names: a profile of parley login, and the project of new agents.
environments:
  default: {}
`;

const schemas = fileURLToPath(new URL('../../schemas', import.meta.url));

/** Writes the first agent of a folder, its environments, and the schemas of the files. Returns the agent's file. */
export function init(folder: string): string {
  const agents = path.join(folder, 'agents');
  if (existsSync(agents) && readdirSync(agents).some((name) => name.endsWith('.md')))
    throw new Failure('usage', `${agents} already contains agents: parley schemas writes only the schemas`);
  mkdirSync(agents, { recursive: true });
  const file = agentFileOf(folder, 'reception');
  writeFileSync(file, sample, { flag: 'wx' });
  const settings = path.join(folder, 'parley.yaml');
  if (!existsSync(settings)) writeFileSync(settings, environments);
  writeSchemas(folder);
  return file;
}

/** Writes the JSON Schemas of this version, which editors use. @returns the files */
export function writeSchemas(folder: string): string[] {
  const at = path.join(folder, 'schemas');
  mkdirSync(at, { recursive: true });
  return readdirSync(schemas).map((name) => {
    copyFileSync(path.join(schemas, name), path.join(at, name));
    return path.join(at, name);
  });
}
