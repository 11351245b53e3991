/** For Node, Bun and Deno, which have `process.env`. */
import process from 'node:process';
import { program } from './program.mjs';

console.log(JSON.stringify(await program(JSON.parse(process.env.PROGRAM_INPUT))));
