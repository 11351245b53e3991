import { attack, gateFamilies } from './families';

describe('attacks', () => attack(gateFamilies));
