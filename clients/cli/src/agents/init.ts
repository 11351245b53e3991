import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.js';
import { agentFileOf } from './files.js';

const sample = `---
name: Reception
languages: [en]
first_message: Good morning, how can I help?
---

You are the receptionist of a dental practice. Answer in one or two sentences.
`;

/** The first agent of a folder; returns the file. */
export function init(folder: string): string {
  const agents = path.join(folder, 'agents');
  if (existsSync(agents) && readdirSync(agents).some((name) => name.endsWith('.md')))
    throw new Failure('usage', `${agents} has agents already`);
  mkdirSync(agents, { recursive: true });
  const file = agentFileOf(folder, 'reception');
  writeFileSync(file, sample, { flag: 'wx' });
  return file;
}
