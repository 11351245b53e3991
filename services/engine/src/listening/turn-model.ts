import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeModel, type TurnModel } from './turn-weights';

/** What `npm run turns -- train` writes; its README says from what. */
export const turnModelFile = path.join(__dirname, '../../assets/turns/english.bin');

let loaded: TurnModel | undefined;

/** The model of this process, read once. */
export const turnModel = (): TurnModel => (loaded ??= decodeModel(readFileSync(turnModelFile)));
